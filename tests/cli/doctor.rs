//! `jury doctor`: languages, sandbox, machine.

use crate::support::Suite;

#[test]
fn it_lists_every_language_with_its_version_or_what_was_looked_for() {
    let suite = Suite::new().file(
        "jury.toml",
        "[languages.nonesuch]\ntitle = \"Nonesuch\"\nextensions = [\"nsc\"]\n\
         run = [\"no-such-machine\", \"{source}\"]\n",
    );
    let path = std::env::var("PATH").unwrap();
    let ran = crate::support::ran(suite.command(&["doctor"]).env("PATH", &path).output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in ["sandbox: ", "  seccomp ", "  Python 3 ", "environment", "  swap "] {
        assert!(ran.out.contains(part) || ran.out.contains(part.trim()), "{part}: {}", ran.out);
    }
    let missing = "  Nonesuch    not installed: looked for no-such-machine\n";
    assert!(ran.out.contains(missing), "{}", ran.out);
    assert!(ran.out.contains(" of 29 installed"), "{}", ran.out);
}

#[test]
fn the_list_for_programs_has_the_same_rows() {
    let suite = Suite::new();
    let ran = suite.run(&["doctor", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["schema"], "jury-doctor/1");
    let languages = found["languages"].as_array().unwrap();
    assert_eq!(languages.len(), 28);
    // Without a PATH nothing is installed.
    for row in languages {
        let reason = row["reason"].as_str().unwrap();
        assert!(row["installed"] == false && reason.starts_with("looked for "), "{row}");
    }
    assert_eq!(found["sandbox"]["layers"].as_array().unwrap().len(), 4);
}
