"""The table of ratios, as Markdown and as data."""

from collections import Counter
from statistics import median

from .works import COSTS


def rows(works, peers, results):
    """A row for each work and peer: medians, and the ratio of each round with its spread."""
    table = []
    for work in works:
        own = _by_round(work.name, "avocet", results)
        for peer in peers:
            if peer in work.peers:
                table.append(_row(work, peer, own, _by_round(work.name, peer, results)))
    return table


def shares(works, results):
    """Where a work is another one made harder: which part of that one's rate Avocet keeps, of each round."""
    names = {work.name for work in works}
    return [_share(work, _by_round(work.of, "avocet", results), _by_round(work.name, "avocet", results))
            for work in works if work.of in names]


def _share(work, easy, hard):
    parts = sorted(hard[number].rate / other.rate for number, other in easy.items()
                   if number in hard and hard[number].rate and other.rate)
    share = median(parts) if parts else None
    return {
        "work": work.name, "title": work.title, "of": work.of,
        "easy_rate": _median(easy, "rate"), "rate": _median(hard, "rate"),
        "ratio": share, "ratio_least": parts[0] if parts else None, "ratio_most": parts[-1] if parts else None,
        "target": work.share, "reached": None if work.share is None or share is None else share >= work.share,
        "easy_us_per_message": _median(easy, "us_per_message"), "us_per_message": _median(hard, "us_per_message"),
    }


def _by_round(name, peer, results):
    return {result.round: result for result in results if result.work == name and result.peer == peer}


def _row(work, peer, own, others):
    ratios = sorted(filter(None, (_ratio_of(work, own[number], other) for number, other in others.items() if number in own)))
    target = work.peers[peer]
    ratio = median(ratios) if ratios else None
    return {
        "work": work.name, "title": work.title, "peer": peer,
        "avocet_rate": _median(own, "rate"), "peer_rate": _median(others, "rate"),
        "ratio": ratio, "ratio_least": ratios[0] if ratios else None, "ratio_most": ratios[-1] if ratios else None,
        "target": target, "at_most": peer in COSTS, "reached": _reached(peer, ratio, target),
        "avocet_us_per_message": _median(own, "us_per_message"), "peer_us_per_message": _median(others, "us_per_message"),
        "avocet_processors": _median(own, "server_processors"), "peer_processors": _median(others, "server_processors"),
        "remarks": (_latencies if work.rate else _waits)(own, others) + _remarks("Avocet", own) + _remarks(peer, others),
    }


def _ratio_of(work, own, other):
    """Of the rates, or of the latencies at one rate: more is better for us. None where one is missing."""
    more, less = (other.p99_ms, own.p99_ms) if work.rate else (own.rate, other.rate)
    return more / less if more and less else None


def _reached(peer, ratio, target):
    if target is None or ratio is None:
        return None
    return ratio <= target if peer in COSTS else ratio >= target


def _waits(own, others):
    """How long clients that connect at once wait."""
    return _told("connected after {:.0f} and {:.0f} ms (medians), {:.0f} and {:.0f} ms (means)", ("median_ms", "mean_ms"), own, others)


def _latencies(own, others):
    """Of a work at a rate, whose ratio is that of the 99th percentiles."""
    return _told("{:.2f} and {:.2f} ms (medians), {:.2f} and {:.2f} ms (99th of a hundred, whose ratio is shown)",
                 ("median_ms", "p99_ms"), own, others)


def _told(text, names, own, others):
    """The medians of these figures, ours and theirs in turn, if there are all."""
    figures = [_median(results, name) for name in names for results in (own, others)]
    return [] if None in figures else [text.format(*figures)]


def _median(results, figure):
    values = [getattr(result, figure) for result in results.values() if getattr(result, figure)]
    return median(values) if values else None


def _remarks(name, results):
    """What was not in order, with the number of runs."""
    remarks = []
    failed = [result for result in results.values() if result.outcome == "FAILED"]
    if failed:
        reasons = Counter(result.reasons[0].split(":")[0] if result.reasons else "?" for result in failed)
        remarks.append(f"{name} FAILED in {len(failed)} of {len(results)}: {', '.join(reasons)}")
    limited = [result for result in results.values() if result.outcome == "INVALID"]
    if limited:
        remarks.append(f"{name}: the load was the limit in {len(limited)} of {len(results)}")
    return remarks


def markdown(table, kept, about, environment):
    lines = [
        f"{environment['processors']} × {environment['cpu']}, {environment['memory']}, {environment['kernel']}, {environment['java']}; "
        f"commit {environment['commit']}, {environment['date']}; heap {environment['heap']} for each server; "
        f"{environment['rounds']} rounds in turn, {environment['seconds']} s measured after {environment['warm_up']} s; "
        f"load of the machine {environment['load_before']} before and {environment['load_after']} after.",
        "",
        "| work | against | Avocet, messages or connections/s | peer | ratio (least to most) | wanted | processor time of the server for each, µs: "
        "Avocet, peer | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    last = None
    for row in table:
        title = row["title"] if row["title"] != last else ""
        last = row["title"]
        lines.append("| " + " | ".join((
            title, about[row["peer"]]["name"], _count(row["avocet_rate"]), _count(row["peer_rate"]), _ratio(row), _wanted(row),
            f"{_us(row['avocet_us_per_message'])}, {_us(row['peer_us_per_message'])}", "; ".join(row["remarks"]))) + " |")
    if kept:
        lines += ["", "Works that are another one made harder:", "",
                  "| work | of | Avocet, messages/s | of, messages/s | share (least to most) | wanted | processor time of the server "
                  "for a message, µs: here, there |", "|---|---|---|---|---|---|---|"]
    for row in kept:
        lines.append("| " + " | ".join((
            row["title"], row["of"], _count(row["rate"]), _count(row["easy_rate"]), _ratio(row), _wanted(row),
            f"{_us(row['us_per_message'])}, {_us(row['easy_us_per_message'])}")) + " |")
    lines += ["", "What is durable, where it is forced:", ""]
    lines += [f"- {entry['name']}: {entry['durability']}" for entry in about.values()]
    return "\n".join(lines) + "\n"


def _count(value):
    if value is None:
        return "none"
    return f"{value / 1e6:.2f} M" if value >= 1e6 else f"{value / 1e3:.1f} K" if value >= 1e3 else f"{value:.0f}"


def _ratio(row):
    if row["ratio"] is None:
        return "none"
    return f"**{row['ratio']:.2f}** ({row['ratio_least']:.2f} to {row['ratio_most']:.2f})"


def _wanted(row):
    if row["target"] is None:
        return ""
    return ("at most " if row.get("at_most") else "") + f"{row['target']:.3g}" + ("" if row["reached"] is None else " ✓" if row["reached"] else " ✗")


def _us(value):
    return "?" if value is None else f"{value:.2f}"
