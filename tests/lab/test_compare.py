"""The comparison of twin machines, on made-up observations: `python3 -B -m unittest discover -s tests/lab`."""

import pathlib
import tempfile
import unittest

import compare
import scenario


def parsed(header):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "one.pp")
        path.write_text(header + "\nfile { '/srv/a': content => 'new' }\n")
        return scenario.parse("file/one", path)


def resource(*events, failed=False, skipped=False):
    return {"failed": failed, "skipped": skipped, "events": [{"property": name, "status": status} for name, status in events]}


def seen(runs, tree):
    runs = [{"exit": status, "output": "", "resources": resources} for status, resources in runs]
    return {"runs": runs, "day": 1, "facts": {}, "tree": tree}


def file(mode, text="new"):
    return {"kind": "file", "owner": 0, "group": 0, "mode": mode, "text": text}


CHANGED = {"File[/srv/a]": resource(("content", "success"))}
HEADER = """# A file.
#
# exits: 2 2
# deviates: others can read it
# rtype:
#   run 1: exit 2
#   run 1: event File[/srv/a]/content success
#   run 2: exit 0
#   /srv/a: mode 0644
"""


class Misstatements(unittest.TestCase):
    def setUp(self):
        self.puppet = seen([(2, CHANGED), (2, CHANGED)], {"/srv/a": file("0600")})
        self.rtype = seen([(2, CHANGED), (0, {})], {"/srv/a": file("0644")})

    def found(self, header=HEADER):
        return compare.misstatements(parsed(header), self.puppet, self.rtype, "/nowhere")

    def test_what_is_as_stated_is_accepted(self):
        self.assertEqual(self.found(), [])

    def test_another_exit_status_is_reported(self):
        self.rtype["runs"][1]["exit"] = 4
        self.assertEqual(self.found(), ["run 2: stated, but rtype did not: exit 0", "run 2: not stated, but rtype did: exit 4"])

    def test_a_change_that_is_not_stated_is_reported(self):
        self.rtype["runs"][1]["resources"] = {"File[/srv/b]": resource(("mode", "success"), failed=True)}
        self.assertEqual(
            self.found(),
            ["run 2: not stated, but rtype did: event File[/srv/b]/mode success", "run 2: not stated, but rtype did: failed File[/srv/b]"],
        )

    def test_a_fact_that_does_not_hold_is_reported(self):
        self.rtype["tree"]["/srv/a"]["mode"] = "0640"
        self.assertEqual(self.found(), ["/srv/a: mode is '0640', stated is '0644'"])

    def test_a_second_difference_is_not_hidden(self):
        self.rtype["tree"]["/srv/a"]["owner"] = 7
        self.rtype["tree"]["/srv/b"] = file("0644")
        self.assertEqual(
            self.found(), ["not stated: /srv/a: owner: Puppet 0, rtype 7", "not stated: /srv/b: kind: Puppet 'nothing', rtype 'file'"]
        )

    def test_a_difference_in_packages_or_units_is_not_hidden(self):
        self.puppet["facts"], self.rtype["facts"] = {"package": ["a 1"]}, {"package": ["a 2"]}
        self.assertEqual(self.found(), ["not stated: package: only with Puppet: a 1", "not stated: package: only with rtype: a 2"])

    def test_of_several_patterns_the_last_wins(self):
        self.assertEqual(self.found(HEADER.replace("/srv/a: mode 0644", "/srv/**: mode 0700\n#   /srv/*: mode 0644")), [])

    def test_a_pattern_without_a_match_is_reported(self):
        self.assertEqual(self.found(HEADER + "#   /opt/*: mode 0644\n"), ["nothing matches `/opt/*`"])

    def test_a_missing_path_and_a_text_can_be_stated(self):
        self.assertEqual(self.found(HEADER + '#   /srv/b: kind nothing\n#   /srv/a: text "new"\n'), [])
        self.assertEqual(self.found(HEADER + '#   /srv/a: text "old"\n'), ["/srv/a: text is 'new', stated is 'old'"])


class Headers(unittest.TestCase):
    def test_a_deviation_needs_a_statement_and_the_other_way_round(self):
        for line in ("deviates: better", "rtype:\n#   run 1: exit 0\n#   run 2: exit 0"):
            with self.assertRaisesRegex(scenario.Malformed, "both or neither"):
                parsed(f"# A file.\n#\n# exits: 0 0\n# {line}\n")

    def test_both_exit_statuses_are_required(self):
        with self.assertRaisesRegex(scenario.Malformed, "exit status of run 2"):
            parsed(HEADER.replace("#   run 2: exit 0\n", ""))

    def test_an_unknown_line_is_refused(self):
        with self.assertRaisesRegex(scenario.Malformed, "`run 3: exit 0` is neither"):
            parsed(HEADER + "#   run 3: exit 0\n")


class Days(unittest.TestCase):
    def test_the_day_of_a_changed_line_has_a_word(self):
        self.assertEqual(compare.changed_today("ann:!:7:0:::\n", 7, ["root:*:7:0:::\n"]), "ann:!:today:0:::\n")

    def test_a_line_of_a_machine_that_was_made_the_same_day_is_as_before(self):
        self.assertEqual(compare.changed_today("root:*:7:0:::\n", 7, ["root:*:7:0:::\n"]), "root:*:7:0:::\n")


if __name__ == "__main__":
    unittest.main()
