//! Terminal sessions as people see them: every file in `tests/cmd` is one.

#[test]
fn sessions_print_what_they_promise() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env("JURY_CI", "none")
        .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .case("tests/cmd/*.trycmd");
}
