//! Loops that are written out before a kernel is compiled.
//!
//! Compilers of drivers keep an array that a loop indexes in memory, where a kernel wants registers. So kernels may say
//!
//! ```text
//! //% for r ROWS
//! var sum{r} = 0.0;
//! //% end
//! ```
//!
//! and get the lines once for every value of `r` below the constant `ROWS`, with `{r}` replaced. Lines from `//% if NAME` or
//! `//% unless NAME` to `//% end` are there only where that constant is set, or is not: missing or 0. All may be nested.

/// Write the loops of `source` out. `constant` knows the constants by name.
pub fn unroll(source: &str, constant: &dyn Fn(&str) -> Option<u32>) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut out = String::with_capacity(source.len());
    write(&lines, constant, &mut Vec::new(), &mut out);
    out
}

fn write(
    lines: &[&str],
    constant: &dyn Fn(&str) -> Option<u32>,
    bound: &mut Vec<(String, u32)>,
    out: &mut String,
) {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        let Some(directive) = line.trim_start().strip_prefix("//% ") else {
            let mut line = line.to_owned();
            for (name, value) in bound.iter() {
                line = line.replace(&format!("{{{name}}}"), &value.to_string());
            }
            out.push_str(&line);
            out.push('\n');
            continue;
        };
        let words: Vec<&str> = directive.split_whitespace().collect();
        let is_set = |name: &str| constant(name).is_some_and(|value| value > 0);
        let (name, count) = match words[..] {
            ["for", name, count] => {
                let count = count.parse().ok().or_else(|| constant(count));
                (name, count.unwrap_or_else(|| panic!("no constant for `{directive}`")))
            }
            ["if", name] => ("", is_set(name).into()),
            ["unless", name] => ("", (!is_set(name)).into()),
            _ => panic!("`{directive}` says neither `for`, `if` nor `unless`"),
        };
        let mut depth = 1;
        let end = at
            + lines[at..]
                .iter()
                .position(|line| {
                    let line = line.trim_start();
                    depth += match line.starts_with("//% end") {
                        true => -1,
                        false => i32::from(line.starts_with("//% ")),
                    };
                    depth == 0
                })
                .unwrap_or_else(|| panic!("no end of `{directive}`"));
        for value in 0..count {
            bound.push((name.to_owned(), value));
            write(&lines[at..end], constant, bound, out);
            bound.pop();
        }
        at = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_written_out() {
        let source = "a\n//% for i TWO\n b{i}\n//% for j 2\n  c{i}{j}\n//% end\n//% end\nd";
        let found = unroll(source, &|name| (name == "TWO").then_some(2));
        assert_eq!(found, "a\n b0\n  c00\n  c01\n b1\n  c10\n  c11\nd\n");
    }

    #[test]
    fn lines_depend_on_constants() {
        let source = "//% if SET\na\n//% unless SET\nb\n//% end\n//% end\n//% unless ZERO\nc\n//% end\n//% if NONE\nd\n//% end";
        let found = unroll(source, &|name| {
            [("SET", 2), ("ZERO", 0)].into_iter().find(|(known, _)| *known == name).map(|x| x.1)
        });
        assert_eq!(found, "a\nc\n");
    }
}
