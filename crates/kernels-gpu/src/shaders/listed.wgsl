// What a row of the batch may choose from: rows of a cache with one for EVERY tokens that are complete with it; where LISTED, only those in
// runs of RUN rows that a list of up to LIST_WIDTH names, the newest run always among them. Scores lie in that order.

fn seen_rows(row: u32) -> u32 {
    return (step[step[5] + row] + 1u) / EVERY;
}

fn among(row: u32) -> u32 {
    let seen = seen_rows(row);
    //% if LISTED
    let runs = (seen + RUN - 1u) / RUN;
    return min(runs, LIST_WIDTH) * RUN - (runs * RUN - seen);
    //% end
    //% unless LISTED
    return seen;
    //% end
}

// The row of the cache that has a score.
fn number(list: u32, row: u32, at: u32) -> u32 {
    //% if LISTED
    return u32(act[list + row * LIST_WIDTH + at / RUN]) * RUN + at % RUN;
    //% end
    //% unless LISTED
    return at;
    //% end
}
