//! `--statistics`: the number of findings per code.

use super::Results;
use indexmap::IndexMap;
use rtype_lang::diagnostics::Code;
use serde_json::{Value as Json, json};

/// Counts findings with a common code.
#[derive(Default)]
struct Statistic {
    count: usize,
    fixable: usize,
}

/// Counts the findings per code, the most frequent code first.
fn statistics(results: &Results<'_>) -> Vec<(Code, Statistic)> {
    let mut codes: IndexMap<Code, Statistic> = IndexMap::new();
    for finding in &results.checked.findings {
        let statistic = codes.entry(finding.diagnostic.code).or_default();
        statistic.count += 1;
        statistic.fixable += usize::from(finding.diagnostic.fix.is_some());
    }
    for counted in &results.checked.counted {
        codes.entry(counted.code).or_default().count += 1;
    }
    let mut codes: Vec<(Code, Statistic)> = codes.into_iter().collect();
    codes.sort_by_key(|(code, statistic)| (std::cmp::Reverse(statistic.count), *code));
    codes
}

pub(super) fn text(results: &Results<'_>) -> String {
    let all = statistics(results);
    let digits = all.first().map_or(1, |(_, most)| most.count.to_string().len());
    let lines = all.iter().map(|(code, Statistic { count, fixable })| {
        let fixable = if *fixable > 0 { format!(" [{fixable} fixable]") } else { String::new() };
        format!("{count:>digits$}  {code}  {}{fixable}\n", code.info().name)
    });
    lines.collect::<String>() + &super::full::ending(results)
}

pub(super) fn json(results: &Results<'_>) -> Json {
    let all = statistics(results).into_iter().map(|(code, Statistic { count, fixable })| {
        json!({ "code": code.info().id, "name": code.info().name, "count": count, "fixable": fixable })
    });
    Json::Array(all.collect())
}
