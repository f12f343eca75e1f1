//! Cooperative matrices for devices that have none, so that kernels with them can be tested there.
//!
//! A kernel's subgroups of 32 become runs of 32 threads. What is loaded is read only when it is multiplied, which is the same
//! as long as no kernel overwrites a tile in between; of what is added up, a thread holds its part of the square.

use std::fmt::Write;

const SQUARES: &str = "
var<private> thread: u32;
const EACH = SQUARE * SQUARE / 32u;
struct Square { source: u32, by_rows: bool, at: u32, stride: u32 }
fn multiply_squares(a: Square, b: Square, c: array<f32, EACH>) -> array<f32, EACH> {
    var sum = c;
    for (var e = 0u; e < EACH; e++) {
        let i = (thread * EACH + e) / SQUARE;
        let j = (thread * EACH + e) % SQUARE;
        for (var k = 0u; k < SQUARE; k++) {
            sum[e] += element(a, i, k) * element(b, k, j);
        }
    }
    return sum;
}
fn element(square: Square, i: u32, j: u32) -> f32 {
    let at = select(
        (square.at + j * square.stride) * WIDTH + i, (square.at + i * square.stride) * WIDTH + j, square.by_rows,
    );
    switch square.source {
";

/// `source` without cooperative matrices.
pub fn without_matrices(source: &str) -> String {
    // Smaller squares are loaded from single values, larger ones from fours.
    let (side, width) = if source.contains("coop_mat8x8") { (8, 1) } else { (16, 4) };
    let square = format!("coop_mat{side}x{side}<f32, C>");
    let mut out = source
        .replace("enable wgpu_cooperative_matrix;\n", "")
        .replace(&format!("{square}()"), "array<f32, EACH>()")
        .replace("coopMultiplyAdd(", "multiply_squares(")
        .replace("@builtin(subgroup_id) subgroup: u32", "@builtin(subgroup_id) subgroup_: u32")
        .replace("@builtin(subgroup_invocation_id) lane: u32", "@builtin(subgroup_invocation_id) lane_: u32")
        .replace("@builtin(subgroup_size) size: u32", "@builtin(subgroup_size) size_: u32");
    let (mut loaded, mut stored): (Vec<String>, Vec<String>) = Default::default();
    let number = |names: &mut Vec<String>, name: String| {
        let known = names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
    };
    let sums = format!("coopLoadT<{square}>(");
    while let Some(at) = out.find(&sums) {
        let (array, index, end) = element(&out, at);
        let from = number(&mut stored, array);
        out.replace_range(at..end, &format!("load_square{from}({index}"));
    }
    for (call, by_rows) in [("coopLoadT<", true), ("coopLoad<", false)] {
        while let Some(at) = out.find(call) {
            let (array, index, end) = element(&out, at);
            let source = number(&mut loaded, array);
            out.replace_range(at..end, &format!("Square({source}u, {by_rows}, {index}"));
        }
    }
    while let Some(at) = out.find("coopStoreT(") {
        let (array, index, end) = element(&out, at);
        let matrix = out[at + "coopStoreT(".len()..].split(',').next().unwrap_or_default().to_owned();
        let to = number(&mut stored, array);
        out.replace_range(at..end, &format!("store_square{to}({matrix}, {index}"));
    }
    let body = out.find("fn main(").and_then(|main| Some(main + out[main..].find(") {\n")? + 4));
    let start = "thread = me % 32u;\nlet subgroup = me / 32u;\nlet lane = thread;\nlet size = 32u;\n";
    out.insert_str(body.expect("every kernel has a main function"), start);
    // Writing to a string cannot fail.
    let _ = write!(out, "const SQUARE = {side}u;\nconst WIDTH = {width}u;\n{SQUARES}");
    for (source, array) in loaded.iter().enumerate() {
        let value = if width == 4 { "[at / 4u][at % 4u]" } else { "[at]" };
        let _ = writeln!(out, "        case {source}u: {{ return f32({array}{value}); }}");
    }
    out += "        default: { return 0.0; }\n    }\n}\n";
    for (to, array) in stored.iter().enumerate() {
        let _ = writeln!(
            out,
            "fn store_square{to}(square: array<f32, EACH>, at: u32, stride: u32) {{
                var values = square;
                for (var e = 0u; e < EACH; e++) {{
                    let i = thread * EACH + e;
                    {array}[at + i / SQUARE * stride + i % SQUARE] = values[e];
                }}
            }}
            fn load_square{to}(at: u32, stride: u32) -> array<f32, EACH> {{
                var values: array<f32, EACH>;
                for (var e = 0u; e < EACH; e++) {{
                    let i = thread * EACH + e;
                    values[e] = {array}[at + i / SQUARE * stride + i % SQUARE];
                }}
                return values;
            }}"
        );
    }
    out
}

/// The array and the index of the element that a call from `at` on points to, and where its text ends.
fn element(source: &str, at: usize) -> (String, String, usize) {
    let pointer = at + source[at..].find('&').expect("a pointer");
    let open = pointer + source[pointer..].find('[').expect("an element");
    let close = open + source[open..].find(']').expect("an index");
    (source[pointer + 1..open].to_owned(), source[open + 1..close].to_owned(), close + 1)
}
