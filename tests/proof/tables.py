"""Numbers of a comparison with Puppet's recorded results, and what two comparisons differ in."""
import json

# From the best to the worst.
STATUS = ['complete', 'partial', 'refused']
OUTCOMES = ['agree', 'deviate', 'unchecked', 'no type', 'wrong']


def table(outcomes, report=None, names=None):
    """Returns the numbers of a set of types, the types that are not complete, and the cases that do not agree.

    `outcomes` is a file of the example `oracle`, `report` one of `rtype import --report`; without it, all types are complete.
    """
    cases = [case for case in json.load(open(outcomes)) if names is None or case['type'] in names]
    outcome = {case['id']: 'wrong' if case['outcome'] == 'disagree' else case['outcome'] for case in cases}
    status = {}
    for one in json.load(open(report)) if report else [{'name': case['type'], 'status': 'complete'} for case in cases]:
        # Of several types with one name, the least complete one counts.
        name = one.get('name') or one.get('file')
        status[name] = max(one['status'], status.get(name, 'complete'), key=STATUS.index)
    count = lambda of, what: sum(value == what for value in of.values())
    return {
        'types': len(status), **{what: count(status, what) for what in STATUS},
        'cases': len(outcome), **{what: count(outcome, what) for what in OUTCOMES},
        'not_complete': {name: what for name, what in status.items() if what != 'complete'},
        'not_agreeing': {case: what for case, what in outcome.items() if what != 'agree'},
    }


def show(tables):
    """Prints one line for each set of types, and the number of wrong cases."""
    columns = ['types', *STATUS, 'cases', *OUTCOMES]
    print(f'{"":<10}' + ''.join(f'{column:>11}' for column in columns))
    for name, row in tables.items():
        print(f'{name:<10}' + ''.join(f'{row[column]:>11}' for column in columns))
    print(f'wrong in all: {sum(row["wrong"] for row in tables.values())}')


def worse(before, now):
    """Returns a line for each type and each case that is worse than before, in the sets that both have."""
    lines = []
    for name in before.keys() & now.keys():
        for field, ranks, best in (('not_complete', STATUS, 'complete'), ('not_agreeing', OUTCOMES, 'agree')):
            old, new = before[name][field], now[name][field]
            lines += [f'{name}: {one}: {old.get(one, best)} -> {what}' for one, what in new.items()
                      if ranks.index(what) > ranks.index(old.get(one, best))]
        for field in ('types', 'cases'):
            if now[name][field] < before[name][field]:
                lines.append(f'{name}: {before[name][field]} -> {now[name][field]} {field}')
    return sorted(lines)
