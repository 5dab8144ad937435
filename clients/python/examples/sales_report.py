"""Reports a day's sales per beat and currency: `python3 sales_report.py --out reports`, by cron once a night.

A second report of a day is the same file. The day is yesterday (UTC), or that of --day 2026-11-21. Without --out the
report is printed.
"""

import argparse
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

from beatmarket import BeatMarket, BeatMarketError

now = datetime.now(timezone.utc)
parser = argparse.ArgumentParser()
parser.add_argument("--day", default=f"{now - timedelta(days=1):%Y-%m-%d}")
parser.add_argument("--out", type=Path)
options = parser.parse_args()
try:
    day = date.fromisoformat(options.day)
except ValueError:
    print(f"The day is {options.day!r}; it takes a date such as {now:%Y-%m-%d}.", file=sys.stderr)
    sys.exit(2)

rows: dict[tuple[int, str, str], list[Decimal]] = {}
try:
    with BeatMarket() as client:
        for sale in client.sales.list(from_=f"{day}", to=f"{day + timedelta(days=1)}", limit=100):
            row = rows.setdefault((sale.beat.id, sale.beat.title, sale.currency), [])
            # Decimal, because sums of floats are inexact.
            row.append(Decimal(str(sale.amount)) - Decimal(str(sale.refunded_amount)))
except BeatMarketError as error:
    sys.exit(str(error))

lines = [f"Sales of {day}"] + [
    f"{len(amounts):5}  {sum(amounts):10.2f} {currency}  {title} ({beat_id})"
    for (beat_id, title, currency), amounts in sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0]))
]
report = "\n".join(lines if rows else [*lines, "none"]) + "\n"
if options.out is None:
    print(report, end="")
else:
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / f"sales-{day}.txt"
    file.with_suffix(".new").write_text(report, "utf-8")
    file.with_suffix(".new").replace(file)  # A reader sees the old report or the whole new one.
    print(file)
