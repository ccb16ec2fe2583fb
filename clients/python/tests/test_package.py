"""The installed package, without a service."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import os
import pickle
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

import assay
from assay import APIConnectionError, Assay, AssayError, AsyncAssay, FindingSort, FindingStatus, NotFoundError, Severity

with open(os.environ["ASSAY_CONFORMANCE_SURFACE"]) as _file:
    SURFACE = json.load(_file)["resources"]

SCAN = {"id": "scan_1", "status": "queued", "completed_at": None}


def client_of(respond: Callable[[httpx.Request], httpx.Response], **settings: Any) -> Assay:
    return Assay(
        token="asy_test",
        base_url="http://assay.test/api/v1",
        transport=httpx.MockTransport(respond),
        sleep=lambda seconds: None,
        **settings,
    )


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def place(client: object, resource: str) -> Any:
    for name in resource.split("."):
        client = getattr(client, name)
    return client


def test_the_package_is_the_installed_one() -> None:
    assert "site-packages" in assay.__file__


@pytest.mark.parametrize("class_", [Assay, AsyncAssay])
def test_it_offers_every_method_of_the_surface_and_no_other(class_: type[Any]) -> None:
    client = class_(token="asy_test", base_url="http://127.0.0.1:1/api/v1")
    for resource, methods in SURFACE.items():
        inner = {name.rpartition(".")[2] for name in SURFACE if name.rpartition(".")[0] == resource}
        assert public(place(client, resource)) == set(methods) | inner
    assert public(client) - {"close"} == {name for name in SURFACE if "." not in name}


def test_both_clients_accept_the_same_arguments() -> None:
    for resource, methods in SURFACE.items():
        for method in methods:
            of = [
                inspect.signature(getattr(place(class_(token="t", base_url="http://x"), resource), method))
                for class_ in (Assay, AsyncAssay)
            ]
            assert str(of[0].parameters) == str(of[1].parameters)


def test_a_client_shows_its_token_nowhere() -> None:
    for class_ in (Assay, AsyncAssay):
        client = class_(token="asy_neverShown", base_url="http://127.0.0.1:1/api/v1")
        sender = client._sender
        for value in (client, vars(client), sender, sender.settings, client.findings):
            assert "asy_neverShown" not in f"{value!r} {value!s}"


def test_a_new_token_is_not_in_the_string_form_of_its_response() -> None:
    client = client_of(lambda request: httpx.Response(201, json={"id": "tok_1", "token": "asy_brandNew"}))
    made = client.profile.tokens.create(name="ci")
    assert made.token == "asy_brandNew"
    assert "asy_brandNew" not in f"{made!r} {made!s}"


def test_a_time_without_a_zone_is_refused_before_anything_is_sent() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        raise AssertionError("It was sent.")

    with client_of(respond) as client, pytest.raises(AssayError, match="zone") as refused:
        client.findings.list(from_=datetime(2026, 1, 31))
    assert refused.value.code == "invalid_argument"


def test_times_in_bodies_are_sent_in_utc() -> None:
    sent: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={"id": "fnd_1"})

    until = datetime(2026, 6, 30, 23, 30, tzinfo=timezone(timedelta(hours=2)))
    client_of(respond).findings.update("fnd_1", status="accepted_risk", accepted_until=until)
    assert sent == [{"status": "accepted_risk", "accepted_until": "2026-06-30T21:30:00Z"}]


def test_a_returned_value_can_be_passed_back() -> None:
    sent: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json={"id": "rpt_1", "filters": {"severity": ["high"], "new_filter": [1]}})
        sent.append(json.loads(request.content))
        return httpx.Response(202, json={"id": "rpt_2"})

    client = client_of(respond)
    filters: Any = client.reports.get("rpt_1").filters
    client.reports.create(title="Again", filters=filters)
    assert sent == [{"title": "Again", "filters": {"severity": ["high"], "new_filter": [1]}}]


def test_enumeration_values_work_as_strings_in_every_argument() -> None:
    sent: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content) if request.content else request.url.query.decode())
        return httpx.Response(200, json={"data": [{"severity": "high"}], "next_cursor": None, "updated": 1})

    client = client_of(respond)
    page = client.findings.list(severity=[Severity.CRITICAL, Severity.HIGH], sort=FindingSort.SEVERITY_DESCENDING)
    client.findings.update_many(filter={"status": [FindingStatus.NEW]}, status=FindingStatus.IN_PROGRESS)
    assert sent == [
        "severity=critical,high&sort=-severity",
        {"filter": {"status": ["new"]}, "status": "in_progress"},
    ]
    assert page.data[0].severity == Severity.HIGH
    assert f"{Severity.HIGH} {Severity.HIGH!s}" == "high high"
    assert set(assay.enums.__all__) <= set(assay.__all__)


def test_errors_can_be_pickled_without_loss() -> None:
    error = {"code": "not_found", "message": "There is no such finding.", "request_id": "req_1", "details": []}
    client = client_of(lambda request: httpx.Response(404, json={"error": error}))
    with pytest.raises(NotFoundError) as raised:
        client.findings.get("fnd_1")
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is NotFoundError
    assert (str(again), again.status, again.code, again.request_id) == (str(raised.value), 404, "not_found", "req_1")


@pytest.mark.parametrize("kind", ["bytes", "text", "path", "file", "binary", "memory"])
def test_every_kind_of_file_is_uploaded_completely_also_on_a_retry(kind: str, tmp_path: Path) -> None:
    content = b"0123456789" * 20_000
    path = tmp_path / "results.sarif"
    path.write_bytes(content)
    sent: list[bytes] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request.read())
        assert request.headers["content-length"] == str(len(sent[-1]))
        return httpx.Response(503) if len(sent) == 1 else httpx.Response(202, json=SCAN)

    with path.open("rb") as file:
        file.seek(10)
        sources: dict[str, Any] = {
            "bytes": content,
            "text": content.decode(),
            "path": path,
            "file": file,
            "binary": io.BytesIO(content),
            "memory": memoryview(content),
        }
        progress: list[assay.UploadProgress] = []
        client_of(respond).imports.upload("ds_1", sources[kind], on_progress=progress.append)
    assert sent == [content[10:] if kind == "file" else content] * 2
    assert progress[-1].sent_bytes == progress[-1].total_bytes == len(sent[0])


def test_an_argument_that_is_no_file_is_refused() -> None:
    source: Any = 7
    with pytest.raises(AssayError, match="must be bytes"):
        client_of(lambda request: httpx.Response(202, json=SCAN)).imports.upload("ds_1", source)


class Broken(httpx.SyncByteStream):
    def __iter__(self) -> Any:
        yield b"half"
        raise httpx.ReadError("cut")


def test_a_truncated_file_leaves_nothing_behind(tmp_path: Path) -> None:
    client = client_of(lambda request: httpx.Response(200, stream=Broken()))
    kept = tmp_path / "findings.csv"
    kept.write_text("as it was")
    with pytest.raises(APIConnectionError):
        client.reports.export("rpt_1", format="csv").save_to(kept)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("findings.csv", "as it was")]


def test_a_file_is_read_only_once() -> None:
    content = client_of(lambda request: httpx.Response(200, content=b"a")).reports.export("rpt_1", format="csv")
    assert content.bytes() == b"a"
    with pytest.raises(AssayError, match="read before"):
        content.bytes()


def test_a_value_of_the_wrong_type_is_preserved() -> None:
    body = {"id": 7, "location": "gone", "updated_at": "soon", "tags": {"a": 1}, "assignee": {"id": "usr_1", "x": 1}}
    finding = client_of(lambda request: httpx.Response(200, json=body)).findings.get("fnd_1")
    assert finding.to_dict() == body
    assert json.loads(finding.to_json()) == body
    with pytest.raises(AttributeError):
        _ = finding.severity


def test_an_awaited_asynchronous_list_can_be_awaited_and_iterated_again() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"data": [{"id": "fnd_1"}], "next_cursor": None})

    async def use() -> None:
        transport = httpx.MockTransport(respond)
        async with AsyncAssay(token="t", base_url="http://assay.test/api/v1", transport=transport) as client:
            findings = client.findings.list()
            page = await findings
            assert [finding.id for finding in page.data] == [finding.id async for finding in page] == ["fnd_1"]
            assert await page.next_page() is None

    asyncio.run(use())


def test_a_missing_address_or_token_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSAY_TOKEN", raising=False)
    monkeypatch.delenv("ASSAY_BASE_URL", raising=False)
    with pytest.raises(AssayError, match="ASSAY_TOKEN"):
        Assay(base_url="http://assay.test/api/v1")
    with pytest.raises(AssayError, match="ASSAY_BASE_URL"):
        Assay(token="t")
    with pytest.raises(AssayError, match="not an address"):
        Assay(token="t", base_url="http://assay.test:port/api/v1")
