"""
Sends every change of a finding to a SIEM: CEF over syslog (RFC 5424), by TCP or TLS.

    python siem.py siem.example:6514 --tls --position /var/lib/assay/siem-position
"""

import argparse
import os
import socket
import ssl
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from assay import Assay
from assay.types import Finding

# Syslog has no acknowledgement: messages in flight when a connection broke are sent again.
OVERLAP = timedelta(minutes=1)
RECONNECT_SECONDS = 5
CEF_SEVERITY = {"critical": 10, "high": 8, "medium": 5, "low": 3, "info": 0}


def header(text: str, limit: int = 512) -> str:
    """Formats a field of CEF's header: `|` and backslashes are escaped."""
    return " ".join(text[:limit].split()).replace("\\", "\\\\").replace("|", "\\|")


def extension(fields: dict[str, object]) -> str:
    """Formats CEF's extension: `=`, backslashes and line breaks are escaped, and empty values are left out."""

    def escape(value: object) -> str:
        text = str(value)[:1000].replace("\\", "\\\\").replace("=", "\\=")
        return text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")

    return " ".join(f"{name}={escape(value)}" for name, value in fields.items() if value not in (None, ""))


def cef(finding: Finding) -> str:
    begin = ["CEF:0", "Assay", "Assay", "1", header(finding.rule.id), header(finding.title)]
    fields = {
        "externalId": finding.id,
        "rt": int(finding.updated_at.timestamp() * 1000),
        "act": finding.status,
        "cat": finding.source,
        "filePath": finding.location.path,
        "request": finding.location.url,
        "suser": finding.assignee.email if finding.assignee else None,
        "reason": finding.resolution,
        "cs1Label": "dataSource",
        "cs1": finding.data_source.name,
        "cs2Label": "identifiers",
        "cs2": ",".join(finding.identifiers),
        "cs3Label": "number",
        "cs3": finding.number,
        "cs4Label": "page",
        "cs4": finding.url,
    }
    return "|".join([*begin, str(CEF_SEVERITY.get(finding.severity, 5)), extension(fields)])


def syslog(finding: Finding) -> bytes:
    """Frames a message by RFC 6587: its length, then the message. Facility 13 is log audit, severity 5 is notice."""
    time_text = finding.updated_at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    message = f"<109>1 {time_text} {socket.gethostname()} assay - finding - \ufeff{cef(finding)}".encode()
    return str(len(message)).encode() + b" " + message


def connect(address: str, tls: bool) -> socket.socket:
    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    return ssl.create_default_context().wrap_socket(connection, server_hostname=host) if tls else connection


def require_open(connection: socket.socket) -> None:
    """Raises an error if the receiver has closed the connection, which sending alone would not detect."""
    connection.settimeout(0)
    try:
        if connection.recv(1) == b"":
            raise ConnectionResetError("the receiver closed the connection")
    except (BlockingIOError, ssl.SSLWantReadError):
        pass
    connection.settimeout(30)


def read_position(path: Path) -> datetime:
    """Returns the `updated_at` of the last finding that was sent, or the start of time without one."""
    if not path.exists():
        return datetime(2000, 1, 1, tzinfo=timezone.utc)
    return datetime.fromisoformat(path.read_text()) - OVERLAP


def save_position(path: Path, finding: Finding) -> None:
    partial = path.with_suffix(".part")
    partial.write_text(finding.updated_at.isoformat())
    os.replace(partial, path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Sends every change of a finding to a SIEM.")
    parser.add_argument("receiver", help="HOST:PORT of the syslog receiver")
    parser.add_argument("--tls", action="store_true", help="verify its certificate, and encrypt")
    parser.add_argument("--position", type=Path, required=True, help="the file that remembers how far it came")
    parser.add_argument("--poll", type=float, default=10, help="seconds between two looks for changes")
    options = parser.parse_args()
    client = Assay()
    while True:
        try:
            with connect(options.receiver, options.tls) as connection:
                since = read_position(options.position)
                for finding in client.findings.follow(since, poll_interval=options.poll):
                    require_open(connection)
                    connection.sendall(syslog(finding))
                    save_position(options.position, finding)
        except OSError as error:
            print(f"{options.receiver}: {error}. Trying again.", file=sys.stderr)
            time.sleep(RECONNECT_SECONDS)


if __name__ == "__main__":
    main()
