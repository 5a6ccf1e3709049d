//! Measures the parsing of type files: the whole front end and, for comparison, the pest parser alone.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rtype_lang::source::SourceMap;
use rtype_lang::syntax;

const TYPES: &[&str] = &[
    include_str!("../tests/syntax/ok/tour_mount.rtype"),
    include_str!("../tests/syntax/ok/tour_identity.rtype"),
    include_str!("../tests/syntax/ok/tour_kind.rtype"),
    include_str!("../tests/syntax/ok/tour_provider.rtype"),
    include_str!("../tests/syntax/ok/tour_tests.rtype"),
];

/// Repeats realistic types up to a number of lines.
fn text(lines: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for part in TYPES.iter().cycle() {
        if count >= lines {
            break;
        }
        out.push_str(part);
        out.push('\n');
        count += part.lines().count() + 1;
    }
    out
}

fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    group.sample_size(10);
    for lines in [1_000, 10_000, 100_000] {
        let map = SourceMap::new();
        let source = map.add("bench.rtype", text(lines)).unwrap();
        assert!(syntax::parse_types(&source).1.is_empty());
        group.throughput(Throughput::Bytes(source.text().len() as u64));
        group.bench_function(format!("types/{lines}"), |b| b.iter(|| syntax::parse_types(&source)));
        let bare = syntax::bare_text(&source);
        group.bench_function(format!("pest/{lines}"), |b| b.iter(|| syntax::bare_pass(&bare)));
    }
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
