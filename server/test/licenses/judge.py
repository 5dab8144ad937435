"""Answers random questions about licenses, only from the tables and rules of docs/clauses.md.

Prints one JSON line for each question: the license, the question, and the answer.
Usage: judge.py CLAUSES.md COUNT SEED
"""

import datetime
import json
import random
import re
import sys

TYPES = ["basic", "premium", "unlimited", "exclusive"]
LIMITS = ["copies", "streams", "videos", "radio_stations", "paid_performances", "years"]


def tables(page):
    """The rows of each table of a Markdown page, without its head, by its first heading."""
    found = {}
    for block in re.findall(r"(?:^\|.*\n)+", page, re.M):
        rows = [[cell.strip().strip("`") for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        found[rows[0][0]] = rows[2:]
    return found


def value_of(text):
    if text in ("files", "world"):
        return text
    if text in ("yes", "no"):
        return text == "yes"
    return None if text == "any number" else int(text.replace(",", ""))


def random_license(rng, clauses):
    kind = rng.choice(TYPES)
    allows = {row[0]: value_of(row[1 + TYPES.index(kind)]) for row in clauses}
    for name in LIMITS:
        if rng.random() < 0.3:
            allows[name] = rng.choice([None, 0, 1, 2, rng.randint(0, 1_000_000)])
    if rng.random() < 0.3:
        allows["years"] = rng.choice([None, 1, 2, 4, 7973, 8000, 1_000_000_000, rng.randint(1, 99)])
    if rng.random() < 0.2:
        allows["territory"] = rng.sample(["DE", "AT", "CH", "US", "JP"], rng.randint(1, 4))
    for name in list(allows):
        if rng.random() < 0.03:
            del allows[name]
    ordered = datetime.date(2024, 1, 1) + datetime.timedelta(days=rng.randint(0, 1200))
    if rng.random() < 0.1:
        ordered = datetime.date(2024, 2, 29)
    return {
        "ordered": str(ordered),
        "refunded": rng.random() < 0.05,
        "files": rng.choice([["mp3"], ["mp3", "wav"], ["mp3", "wav", "stems"], []]),
        "allows": allows,
    }


def last_day(license):
    """The last day of the license's term, by rule 2; None if the term has no end."""
    years = license["allows"].get("years")
    ordered = datetime.date.fromisoformat(license["ordered"])
    if years is None or ordered.year + years > 9999:
        return None
    try:
        end = ordered.replace(year=ordered.year + years)
    except ValueError:
        end = datetime.date(ordered.year + years, 3, 1)
    return end - datetime.timedelta(days=1)


def random_question(rng, uses, license):
    on = datetime.date.fromisoformat(license["ordered"]) + datetime.timedelta(days=rng.randint(0, 4000))
    last = last_day(license)
    if last is not None and rng.random() < 0.3:
        on = max(on.fromisoformat(license["ordered"]), last + datetime.timedelta(days=rng.randint(-1, 1)))
    limits = [value for value in license["allows"].values() if type(value) is int]
    near = [max(1, limit + step) for limit in limits for step in (-1, 0, 1)]
    return {
        "use": rng.choice([row[0] for row in uses] + ["podcast", "constructor"]),
        "quantity": rng.choice([1, 2, rng.randint(1, 2_000_000), rng.choice(near or [1])]),
        "territory": rng.choice([None, None, "DE", "US", "FR"]),
        "on": str(on),
    }


def answer(license, question, uses):
    allows = license["allows"]
    if license["refunded"]:
        return "no", "refund"
    last = last_day(license)
    if last is not None and datetime.date.fromisoformat(question["on"]) > last:
        return "no", "years"
    clause, rule = uses.get(question["use"], uses["any other"])
    if clause not in allows or rule == "unspoken":
        return "unknown", clause
    if rule == "number":
        allowed = allows[clause] is None or question["quantity"] <= allows[clause]
    elif rule == "stems":
        allowed = "stems" in license["files"]
    else:
        allowed = {"always": True, "says": allows[clause], "opposite": not allows[clause]}[rule]
    countries = allows.get("territory", "world")
    if allowed and countries != "world" and question["territory"] not in [None, *countries]:
        return "no", "territory"
    return "yes" if allowed else "no", clause


def main():
    page, count, rng = open(sys.argv[1]).read(), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    found = tables(page)
    uses = {row[0]: (row[1], row[2]) for row in found["use"]}
    for _ in range(count):
        license = random_license(rng, found["clause"])
        question = random_question(rng, [row for row in found["use"] if row[0] != "any other"], license)
        allowed, clause = answer(license, question, uses)
        because = clause if clause in license["allows"] else None
        print(json.dumps({"license": license, "question": question, "allowed": allowed, "clause": because}))


main()
