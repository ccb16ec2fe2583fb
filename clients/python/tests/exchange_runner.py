"""The parts of an exchange runner that both clients share. `clients/conformance/README.md` describes the exchanges."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import logging
import os
import re
import ssl
import time
import traceback
import urllib.request
from datetime import datetime
from typing import Any

import assay

SERVER = os.environ["ASSAY_CONFORMANCE_URL"]
with open(os.environ["ASSAY_CONFORMANCE_SURFACE"]) as _file:
    SURFACE = json.load(_file)["resources"]


def fetch(url: str, method: str = "GET") -> Any:
    request = urllib.request.Request(url, method=method, data=b"" if method == "POST" else None)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


# Created once, because loading the certificates takes longer than most cases.
TLS = ssl.create_default_context()
CASES = fetch(f"{SERVER}/cases")


class Cancelled(BaseException):
    """Ends a synchronous call as Ctrl-C does."""


def argument(value: Any) -> Any:
    if isinstance(value, list):
        return [argument(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"time"}:
            return datetime.fromisoformat(value["time"])
        return {name: argument(item) for name, item in value.items()}
    return value


def file_bytes(file: dict[str, Any]) -> bytes:
    if "base64" in file:
        return base64.b64decode(file["base64"])
    return (file["text"] if "text" in file else file["repeat"] * file["times"]).encode()


def pieces(content: bytes) -> Any:
    return (content[at : at + 65_536] for at in range(0, len(content), 65_536))


def file_of(file: dict[str, Any]) -> Any:
    content = file_bytes(file)
    if file.get("as") == "stream":
        return pieces(content)
    return io.BytesIO(content) if len(content) > 1000 else content


def plain(value: Any) -> Any:
    """Returns the value as JSON represents it."""
    if isinstance(value, assay.ServerEvent):
        position = {} if value.id is None else {"id": value.id}
        return {"event": value.event, "data": plain(value.data), **position}
    if isinstance(value, (assay.Page, assay.AsyncPage)):
        return {**value.to_dict(), "data": plain(value.data), "next_cursor": value.next_cursor}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


class LogMemory(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.args!r}")


class Runner:
    """One run of a case, without the call."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.call = case["call"]
        self.cancel = case.get("cancel", {})
        self.run = fetch(f"{SERVER}/cases/{case['id']}", "POST")
        self.is_stream = SURFACE[self.call["resource"]][self.call["method"]].get("returns") == "stream"
        self.iterates = self.is_stream or self.call.get("as") == "items"
        self.waits: list[float] = []
        self.items: list[Any] = []
        self.result: Any = None
        self.progress: list[assay.UploadProgress] = []
        self.error: BaseException | None = None
        self.client: Any = None
        self.has_ended = False
        self.log = LogMemory()
        for name in ("assay", "httpx", "httpcore"):
            logging.getLogger(name).addHandler(self.log)
            logging.getLogger(name).setLevel(logging.DEBUG)

    def end(self) -> None:
        self.has_ended = True
        for name in ("assay", "httpx", "httpcore"):
            logging.getLogger(name).removeHandler(self.log)

    def count_wait(self, seconds: float) -> bool:
        """Records a wait, and returns whether the call is cancelled during it."""
        self.waits.append(seconds * 1000)
        return bool(self.cancel.get("at_wait") == len(self.waits))

    def await_last_request(self) -> None:
        """Waits until the server has received the last request of the case."""
        fetch(self.run["received_url"])

    def make_client(self, class_: type[Any], transport: Any, sleep: Any) -> Any:
        given = self.case["client"]
        settings: dict[str, Any] = {"sleep": sleep, "transport": transport}
        if "max_retries" in given:
            settings["max_retries"] = given["max_retries"]
        if "timeout_ms" in given:
            settings["timeout"] = given["timeout_ms"] / 1000
        if "headers" in given:
            settings["headers"] = given["headers"]
        if not given.get("from_environment"):
            base_url = given.get("base_url", "{base_url}").replace("{base_url}", self.run["base_url"])
            base_url = base_url.replace("{root_url}", self.run["base_url"].removesuffix("/api/v1"))
            return class_(token=given["token"], base_url=base_url, **settings)
        os.environ.update(ASSAY_TOKEN=given["token"], ASSAY_BASE_URL=self.run["base_url"])
        try:
            return class_(**settings)
        finally:
            del os.environ["ASSAY_TOKEN"], os.environ["ASSAY_BASE_URL"]

    def method(self) -> Any:
        place = self.client
        for name in self.call["resource"].split("."):
            place = getattr(place, name)
        return getattr(place, self.call["method"])

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        names = SURFACE[self.call["resource"]][self.call["method"]]["arguments"]
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for name, value in zip(names, self.call["arguments"], strict=True):
            if name == "params":
                named.update(argument(value))
            else:
                positional.append(file_of(value) if name == "file" else argument(value))
        options = dict(self.call.get("options", {}))
        if "poll_interval_ms" in options:
            named["poll_interval"] = options.pop("poll_interval_ms") / 1000
        if "last_event_id" in options:
            named["last_event_id"] = options.pop("last_event_id")
        if "max_wait_ms" in options:
            named["max_wait"] = options.pop("max_wait_ms") / 1000
        if "timeout_ms" in options:
            options["timeout"] = options.pop("timeout_ms") / 1000
        if options:
            named["options"] = options
        if self.call["resource"] == "imports":
            named["on_progress"] = self.progress.append
        return positional, named

    def took_all(self) -> bool:
        return len(self.items) == self.call.get("take")

    def check_content(self, content: Any, data: bytes) -> None:
        expected = self.case["expect"].get("content", {})
        if "text" in expected:
            assert data.decode() == expected["text"]
        if "base64" in expected:
            assert data == base64.b64decode(expected["base64"])
        if "sha256" in expected:
            assert (len(data), hashlib.sha256(data).hexdigest()) == (expected["length"], expected["sha256"])
        for name in ("filename", "content_type"):
            if name in expected:
                assert getattr(content, name) == expected[name]

    def check(self) -> None:
        expect = self.case["expect"]
        if "error" in expect:
            self.check_error(expect["error"])
        elif not expect.get("cancelled") and self.error is not None:
            raise self.error
        if "result" in expect:
            assert plain(self.result) == expect["result"]
        if "items" in expect:
            assert plain(self.items) == expect["items"]
        if "progress" in expect:
            sent = [progress.sent_bytes for progress in self.progress]
            assert sent == sorted(sent)
            last = {"sent_bytes": sent[-1], "total_bytes": self.progress[-1].total_bytes}
            assert last == expect["progress"]
        bounds = self.case["waits_ms"]
        assert len(self.waits) == len(bounds), f"{self.waits} are not {bounds}"
        assert all(low <= wait <= high for wait, (low, high) in zip(self.waits, bounds, strict=True)), self.waits
        self.check_no_token()
        self.check_verdict()

    def check_error(self, expected: dict[str, Any]) -> None:
        error = self.error
        assert isinstance(error, assay.AssayError), f"It raised {error!r}, not {expected['class']}"
        assert type(error).__name__ == expected["class"], f"{error!r}"
        for name, value in expected.items():
            if name == "retry_after_ms":
                assert error.retry_after is not None and round(error.retry_after * 1000) == value
            elif name != "class":
                assert plain(getattr(error, name)) == value

    def check_no_token(self) -> None:
        token = self.case["client"]["token"]
        shown = [repr(self.client), repr(getattr(self.client, "__dict__", None)), *self.log.lines]
        if isinstance(self.error, Exception):
            shown += [str(self.error), repr(self.error), repr(self.error.__dict__)]
            shown += traceback.TracebackException.from_exception(self.error, capture_locals=False).format()
        shown += [repr(self.result), repr(self.items)]
        for text in shown:
            assert token not in text

    def check_verdict(self) -> None:
        for _ in range(200):
            verdict = fetch(self.run["verdict_url"])
            if verdict["open_requests"] == 0:
                break
            time.sleep(0.02)
        assert verdict["problems"] == []
        assert verdict["open_requests"] == 0, "A connection was left open."


def case_name(case: dict[str, Any]) -> str:
    return f"{case['id']}: {re.sub(r'[^ -~]', '', case['name'])}"
