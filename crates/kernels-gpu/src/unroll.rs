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
//! and get the lines once for every value of `r` below the constant `ROWS`, with `{r}` replaced. Loops may be nested.

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
        let Some(directive) = line.trim_start().strip_prefix("//% for ") else {
            let mut line = line.to_owned();
            for (name, value) in bound.iter() {
                line = line.replace(&format!("{{{name}}}"), &value.to_string());
            }
            out.push_str(&line);
            out.push('\n');
            continue;
        };
        let (name, count) = directive.trim().split_once(' ').expect("a name and a constant");
        let count = count.parse().ok().or_else(|| constant(count));
        let count = count.unwrap_or_else(|| panic!("no constant for `{directive}`"));
        let mut depth = 1;
        let end = at
            + lines[at..]
                .iter()
                .position(|line| {
                    let line = line.trim_start();
                    depth += i32::from(line.starts_with("//% for ")) - i32::from(line.starts_with("//% end"));
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
}
