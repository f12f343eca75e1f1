"""Medians over the rounds of `compare.sh run`, from its output on stdin, with ratios."""
import re
import statistics
import sys
from collections import defaultdict

times, plain, who = defaultdict(list), defaultdict(list), ""
for line in sys.stdin:
    words = line.split()
    if match := re.match(r"# (tandem|openmpi) (shm|tcp)$", line):
        who = (match[2], match[1])
    elif match := re.match(r"# (shm|tcp) link", line):
        who = (match[1], "link")
    elif len(words) == 6 and words[0] == "chosen":
        times[who[0], int(words[1]), "tandem"].append(float(words[3]))
    elif len(words) == 4 and words[0].isdigit() and who[1] == "openmpi":
        times[who[0], int(words[0]), "openmpi"].append(float(words[2]))
    elif len(words) == 6 and words[0].isdigit() and words[1] != "B" and who[1] == "link":
        plain[f"{who[0]} link, {words[0]} B one way, us"].append(float(words[2]))
        plain[f"{who[0]} link, {words[0]} B stream, GB/s"].append(float(words[5]))
    elif match := re.match(r"64 B one way: ([\d.]+)", line):
        plain["openmpi shm, 64 B one way, us"].append(float(match[1]))
    elif match := re.match(r"64 B round trip.*one way median ([\d.]+)", line):
        plain["C spinning tcp, 64 B one way, us"].append(float(match[1]))
    elif match := re.match(r"cache line: one way median ([\d.]+)", line):
        plain["C cache line, one way, us"].append(float(match[1]))
    elif match := re.match(r"memcpy of (\d+) B.*: ([\d.]+)", line):
        plain[f"memcpy, {match[1]} B, GB/s"].append(float(match[2]))
    elif match := re.search(r"([\d.]+) Gbits/sec +receiver", line):
        plain["iperf3 tcp, GB/s"].append(float(match[1]) / 8)

print("| all-reduce | bytes | tandem, us | OpenMPI, us | ratio | ratios by round |")
print("|---|---|---|---|---|---|")
for link, size in sorted({(link, size) for link, size, _ in times}):
    ours, theirs = times[link, size, "tandem"], times[link, size, "openmpi"]
    a, b = statistics.median(ours), statistics.median(theirs)
    rounds = " ".join(f"{x / y:.2f}" for x, y in zip(ours, theirs))
    print(f"| {link} | {size} | {a:.2f} | {b:.2f} | {a / b:.2f} | {rounds} |")
print("\n| what | median | by round |\n|---|---|---|")
for name, values in sorted(plain.items()):
    print(f"| {name} | {statistics.median(values):.3f} | {' '.join(f'{v:.3g}' for v in values)} |")
