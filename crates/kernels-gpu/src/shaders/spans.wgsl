// What layers keep of a sequence beside keys and values. A span is a sequence's rows of the batch: its first row, how many,
// the position of the first, and the places where its state is written and read.

struct Span { row: u32, rows: u32, start: u32, state: u32, state_from: u32 }

fn span_at(i: u32) -> Span {
    let at = step[9] + i * 5u;
    return Span(step[at], step[at + 1u], step[at + 2u], step[at + 3u], step[at + 4u]);
}
