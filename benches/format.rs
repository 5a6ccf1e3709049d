//! Measures the formatting of type files, which editors do on save.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, criterion_group, criterion_main};
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::{self, LINE_WIDTH};

const TYPES: &[&str] = &[
    include_str!("../stdlib-types/service.rtype"),
    include_str!("../stdlib-types/user.rtype"),
    include_str!("../stdlib-types/file.rtype"),
    include_str!("../stdlib-types/package.rtype"),
];

fn format(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("format");
    group.sample_size(10);
    for lines in [2_000, 20_000] {
        let text: Vec<&str> = TYPES.iter().cycle().flat_map(|text| text.lines()).take(lines).collect();
        // Truncate at the end of an item.
        let end = text.iter().rposition(|line| *line == "}").map_or(0, |at| at + 1);
        let text = text.get(..end).unwrap_or_default().join("\n") + "\n";
        let map = SourceMap::new();
        let source = map.add("bench.rtype", text).unwrap();
        group.bench_function(format!("{lines}"), |b| b.iter(|| syntax::format(&source, LINE_WIDTH).unwrap()));
        let (ast, _) = syntax::parse_types(&source);
        group.bench_function(format!("print/{lines}"), |b| b.iter(|| syntax::print_types(&ast, &source)));
        group.bench_function(format!("parse/{lines}"), |b| b.iter(|| syntax::parse_types(&source)));
        group.bench_function(format!("same/{lines}"), |b| b.iter(|| syntax::same_tree(&ast, &ast)));
    }
    group.finish();
}

criterion_group!(benches, format);
criterion_main!(benches);
