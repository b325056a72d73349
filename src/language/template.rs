//! Placeholders in commands.

/// What the placeholders stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// `{source}`.
    pub source: String,
    /// `{sources}`, one argument each.
    pub sources: Vec<String>,
    /// `{dir}`.
    pub dir: String,
    /// `{binary}`.
    pub binary: String,
    /// `{main_class}`.
    pub main_class: String,
    /// The memory limit in bytes, for `{memory_mib}`.
    pub memory: u64,
    /// The stack limit in bytes, for `{stack_kib}` and `{stack_bytes}`.
    pub stack: u64,
    /// `tool:NAME` and `home:NAME` of installed tools.
    pub tools: Vec<(String, String)>,
}

/// The names that stand in braces; `tool:TOOL` and `home:TOOL` come on top.
const NAMES: [&str; 8] =
    ["source", "sources", "dir", "binary", "main_class", "memory_mib", "stack_kib", "stack_bytes"];

impl Values {
    fn get(&self, name: &str) -> Option<String> {
        Some(match name {
            "source" => self.source.clone(),
            "sources" => self.sources.join(" "),
            "dir" => self.dir.clone(),
            "binary" => self.binary.clone(),
            "main_class" => self.main_class.clone(),
            "memory_mib" => (self.memory >> 20).max(1).to_string(),
            "stack_kib" => (self.stack >> 10).to_string(),
            "stack_bytes" => self.stack.to_string(),
            _ => self.tools.iter().find(|(tool, _)| tool == name)?.1.clone(),
        })
    }

    /// A text with its placeholders replaced. A brace that opens no placeholder stands for itself.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            filled.push_str(&rest[..open]);
            let inside = &rest[open + 1..];
            let value =
                inside.find('}').and_then(|close| Some((close, self.get(&inside[..close])?)));
            if let Some((close, value)) = value {
                filled.push_str(&value);
                rest = &inside[close + 1..];
            } else {
                filled.push('{');
                rest = inside;
            }
        }
        filled + rest
    }
}

/// The arguments of a command. `{sources}` as an argument of its own becomes several.
#[must_use]
pub fn expand(template: &[String], values: &Values) -> Vec<String> {
    let mut arguments = Vec::new();
    for argument in template {
        if argument == "{sources}" {
            arguments.extend(values.sources.iter().cloned());
        } else {
            arguments.push(values.fill(argument));
        }
    }
    arguments
}

/// The first placeholder of a text that does not exist.
#[must_use]
pub(super) fn unknown_placeholder(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let inside = &rest[open + 1..];
        let close = inside.find('}')?;
        let name = &inside[..close];
        let is_name = name.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !name.is_empty();
        if is_name && !NAMES.contains(&name) {
            return Some(name);
        }
        rest = inside;
    }
    None
}

/// The tools that a text names in `{tool:TOOL}` and `{home:TOOL}`.
pub(super) fn tools(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('{').filter_map(|(start, _)| {
        let (inside, _) = text[start + 1..].split_once('}')?;
        inside.strip_prefix("tool:").or_else(|| inside.strip_prefix("home:"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        Values {
            source: "a.c".into(),
            sources: vec!["a.c".into(), "b c.c".into()],
            memory: 256 << 20,
            stack: 1 << 20,
            tools: vec![("home:scala".into(), "/usr/share/scala".into())],
            ..Values::default()
        }
    }

    #[test]
    fn sources_become_one_argument_each_and_others_are_filled_in() {
        let template = ["cc", "-m{memory_mib}", "{sources}", "{{source}}", "{home:scala}/lib"];
        let arguments = expand(&template.map(str::to_owned), &values());
        assert_eq!(arguments, ["cc", "-m256", "a.c", "b c.c", "{a.c}", "/usr/share/scala/lib"]);
    }

    #[test]
    fn a_brace_that_is_no_placeholder_stays() {
        assert_eq!(values().fill("BEGIN{x} {stack_kib} {"), "BEGIN{x} 1024 {");
        assert_eq!(values().fill("{nope}{}"), "{nope}{}");
    }

    #[test]
    fn a_mistyped_placeholder_is_found() {
        assert_eq!(unknown_placeholder("-o{binray}"), Some("binray"));
        assert_eq!(unknown_placeholder("{source} {home:x} {} {A}"), None);
    }

    #[test]
    fn tools_are_named() {
        assert_eq!(tools("{home:a}/x:{tool:b} {dir}{").collect::<Vec<_>>(), ["a", "b"]);
    }
}
