"""
Saves all open findings as CSV, one file per day, and keeps the newest files.

    python nightly_csv.py /srv/findings --keep 30
"""

import argparse
import sys
from datetime import datetime, timezone
from pathlib import Path

from assay import Assay, FindingStatus

OPEN = [FindingStatus.NEW, FindingStatus.TRIAGED, FindingStatus.IN_PROGRESS]


def main() -> None:
    parser = argparse.ArgumentParser(description="Saves all open findings as CSV, one file for each day.")
    parser.add_argument("folder", type=Path, help="where the files are")
    parser.add_argument("--keep", type=int, default=30, help="how many files are kept")
    options = parser.parse_args()

    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    path: Path = options.folder / f"findings-{day}.csv"
    if path.exists():
        sys.exit(f"{path} is there already.")
    options.folder.mkdir(parents=True, exist_ok=True)

    with Assay() as client:
        created = client.reports.create(title=f"Open findings of {day}", filters={"status": OPEN})
        try:
            report = client.reports.wait(created.id, max_wait=3600)
            if report.summary is None:
                sys.exit(f"The report failed: {report.error}")
            # Writes the complete file or none.
            client.reports.export(report.id, format="csv").save_to(path)
        finally:
            client.reports.delete(created.id)
    print(f"Saved {report.summary.total} findings to {path}.")

    for old in sorted(options.folder.glob("findings-*.csv"))[: -options.keep]:
        old.unlink()
        print(f"Removed {old}.")


if __name__ == "__main__":
    main()
