use super::*;
use crate::model::Weighed;

/// A comparison with one case of each kind.
pub(in crate::report) fn every_kind() -> Comparison {
    let weighed = |base_cpu_ns: u64, head_cpu_ns: u64| Weighed {
        base_cpu_ns,
        head_cpu_ns,
        ratio: head_cpu_ns as f64 / base_cpu_ns as f64,
        range: Some((head_cpu_ns as f64 * 0.98 / base_cpu_ns as f64, 1.26)),
        p: 1.0 / 184_756.0,
        base_runs: 10,
        head_runs: 10,
    };
    let case = |case: &str, change, times: Option<(u64, u64)>| CaseChange {
        problem: case.split('/').next().unwrap_or_default().into(),
        submission: "core".into(),
        case: case.into(),
        change,
        weighed: times.map(|(base, head)| weighed(base, head)),
        remark: String::new(),
    };
    let side = |day: &str, commit: &str| ComparedRun {
        name: format!("{day}.json"),
        started_at: format!("2026-11-{day}T12:00:00Z"),
        commit: commit.into(),
        cpu: "Fast CPU".into(),
        runs: (10, 10),
    };
    let verdict =
        CaseChange { remark: "AC, then WA".into(), ..case("jsoi-game/5", Change::Verdict, None) };
    Comparison {
        base: side("20", "a1b2c3d4e5f6"),
        head: side("29", "e4f5a6b7c8d9"),
        interleaved: false,
        not_comparable: Vec::new(),
        cases: vec![
            case("ali-baba/12-max-300x300", Change::Slower, Some((41_000_000, 50_200_000))),
            case("jsoi-game/1", Change::Same, Some((20_000_000, 19_400_000))),
            case("jsoi-game/2", Change::Same, Some((20_000_000, 20_800_000))),
            case("jsoi-game/3", Change::Small, Some((1_000_000, 1_010_000))),
            case("jsoi-game/12-max-100x100", Change::Faster, Some((29_300_000, 18_800_000))),
            case("jsoi-game/4", Change::New, None),
            verdict,
            case("jsoi-game/\u{1b}[2J", Change::Removed, None),
        ],
        small: Some(SmallSum {
            cases: 1,
            change: Change::Same,
            weighed: weighed(1_000_000, 1_010_000),
        }),
    }
}

fn written(compared: &Comparison, format: ComparisonFormat) -> String {
    let mut out = Vec::new();
    comparison(&mut out, compared, format, Look::default()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_text_has_one_row_for_each_case_that_changed() {
    snapbox::assert_data_eq!(
        written(&every_kind(), ComparisonFormat::Text),
        snapbox::str![[r"
base 2026-11-20 a1b2c3d, head 2026-11-29 e4f5a6b, same CPU model, 10 runs each, not interleaved
measure: CPU time (user + system), median; slower means ratio above 1.10, above 2.0 ms, and p < 0.01
            case                       base      head   ratio   95 % range
SLOWER      ali-baba/12-max-300x300  41.0 ms   50.2 ms   1.22   1.20 to 1.26
faster      jsoi-game/12-max-100x100 29.3 ms   18.8 ms   0.64   0.63 to 1.26
unchanged   2 cases (ratio 0.97 to 1.04)
too small   1 case under 2.0 ms in both: compared as one sum, ratio 1.01
verdict     jsoi-game/5: AC, then WA
new         jsoi-game/4
removed     jsoi-game//x1b[2J
1 slower, 1 faster, 3 unchanged, 1 with another verdict, 1 new, 1 removed

"]]
    );
}

#[test]
fn reasons_stand_above_the_table() {
    let mut compared = every_kind();
    compared.not_comparable = vec!["other CPU model: a, then \u{1b}b".into()];
    compared.head.cpu = "b".into();
    compared.head.runs = (3, 10);
    let text = written(&compared, ComparisonFormat::Text);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("other CPU model, 10 and 3 to 10 runs, not interleaved"), "{text}");
    assert_eq!(lines[1], r"note: not comparable: other CPU model: a, then \x1bb");
}

#[test]
fn the_json_document_follows_its_schema() {
    let schema = include_str!("../../../docs/schema/jury-comparison-1.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    for compared in [Comparison::default(), every_kind()] {
        let document = serde_json::from_str(&written(&compared, ComparisonFormat::Json)).unwrap();
        let faults: Vec<String> =
            schema.iter_errors(&document).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, [] as [String; 0]);
        let again: Comparison = serde_json::from_value(document).unwrap();
        assert_eq!(again, compared);
    }
}

#[test]
fn in_markdown_no_name_is_markup() {
    let mut compared = every_kind();
    compared.cases[0].case = "a|b/<i>1".into();
    let text = written(&compared, ComparisonFormat::Markdown);
    assert!(text.starts_with("# Baseline: 1 slower, 1 faster, 3 unchanged, "), "{text}");
    assert!(text.contains("| SLOWER | a\\|b/&lt;i&gt;1 | 41.0 ms | 50.2 ms | 1.22 |"), "{text}");
    assert!(text.contains("verdict\\: jsoi-game/5 \\(AC, then WA\\)"), "{text}");
}

#[test]
fn programs_that_ran_alternately_are_named() {
    let compared = Comparison { interleaved: true, ..every_kind() };
    let text = written(&compared, ComparisonFormat::Text);
    let title = "base 20.json, head 29.json, same CPU model, 10 runs each, interleaved\n";
    assert!(text.starts_with(title), "{text}");
}

#[test]
fn submissions_are_named_where_a_problem_has_several() {
    let mut compared = every_kind();
    assert!(!written(&compared, ComparisonFormat::Text).contains("(core)"));
    compared.cases[1].submission = "other.c".into();
    assert!(written(&compared, ComparisonFormat::Text).contains("ali-baba/12-max-300x300 (core)"));
}
