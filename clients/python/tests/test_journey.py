"""The journey of a user against a real server: its tests build on each other, in their order."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from assay import (
    Assay,
    AsyncAssay,
    AuthenticationError,
    BadRequestError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
)

REPOSITORY = os.environ["ASSAY_TEST_REPOSITORY"]
LONG_AGO = datetime(2020, 1, 1, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def client() -> Iterator[Assay]:
    with Assay() as client:
        yield client


def test_a_repository_is_added_and_scanned_and_the_scan_followed_to_its_end(client: Assay) -> None:
    data_source = client.data_sources.create(kind="git_repository", name="payments", config={"url": REPOSITORY})
    assert data_source.status == "never_scanned"
    started = client.detection_sources.scan("secrets", data_source=data_source.id)
    events = [(event.event, event.data.id) for event in client.scans.events(started.id)]
    assert events[-1] == ("end", started.id)
    scan = client.scans.wait(started.id, max_wait=120)
    assert (scan.status, scan.findings.new) == ("completed", 3)
    assert scan.completed_at is not None and scan.completed_at.tzinfo is not None


def test_its_findings_are_paged_through_followed_and_counted(client: Assay) -> None:
    page = client.findings.list(limit=2)
    following = page.next_page()
    assert following is not None and following.next_page() is None
    ids = [finding.id for finding in client.findings.list(limit=1, status=["new"], from_=LONG_AGO)]
    assert ids == [finding.id for finding in page.data + following.data]
    followed = set()
    for finding in client.findings.follow(LONG_AGO):
        followed.add(finding.id)
        if len(followed) == 3:
            break
    assert followed == set(ids)
    assert client.findings.summary().total == 3


def test_they_are_triaged_and_what_another_person_changed_meanwhile_is_not_overwritten(client: Assay) -> None:
    found = next(finding for finding in client.findings.list() if finding.location.path == "deploy.env")
    finding = client.findings.get(found.id)
    assert finding.last_response is not None
    etag = finding.last_response.headers["etag"]
    changed = client.findings.update(
        finding.id, status="in_progress", tags=["pci", "Zürich"], options={"if_match": etag}
    )
    assert (changed.status, changed.tags) == ("in_progress", ["pci", "Zürich"])
    with pytest.raises(PreconditionFailedError):
        client.findings.update(finding.id, status="new", options={"if_match": etag})
    comment = client.findings.comment(finding.id, comment="Rotating it.")
    assert [one.id for one in client.findings.comments(finding.id)] == [comment.id]
    assert len(list(client.findings.history(finding.id))) > 0
    assert client.findings.update_many(filter={"status": ["new"]}, status="triaged").updated == 2


def test_a_report_of_them_is_made_and_downloaded_in_full(client: Assay, tmp_path: Path) -> None:
    report = client.reports.wait(client.reports.create(title="July").id, max_wait=120)
    assert report.status == "ready" and report.summary is not None and report.summary.total == 3
    path = tmp_path / "july.csv"
    with client.reports.export(report.id, format="csv") as content:
        assert content.filename is not None and content.filename.endswith(".csv")
        content.save_to(path)
    assert path.read_bytes().decode() == client.reports.export(report.id, format="csv").text()
    assert [file.name for file in tmp_path.iterdir()] == ["july.csv"]
    assert client.reports.export(report.id, format="pdf").bytes().startswith(b"%PDF-")
    client.reports.delete(report.id)
    with pytest.raises(NotFoundError):
        client.reports.get(report.id)


def test_a_schedule_and_a_scheduled_report_are_made_changed_and_deleted(client: Assay) -> None:
    schedule = client.scan_schedules.create(source="secrets", cron="@daily")
    assert client.scan_schedules.update(schedule.id, enabled=False).enabled is False
    client.scan_schedules.delete(schedule.id)
    mailed = client.scheduled_reports.create(cron="@weekly", recipients=["ciso@example.com"])
    assert [one.id for one in client.scheduled_reports.list()] == [mailed.id]
    client.scheduled_reports.delete(mailed.id)


def test_a_person_is_invited_and_the_invitation_withdrawn(client: Assay) -> None:
    invitation = client.organization.invitations.create(email="bob@example.com", role="viewer")
    assert (invitation.status, invitation.role) == ("pending", "viewer")
    client.organization.invitations.delete(invitation.id)
    assert [member.role for member in client.organization.members.list()] == ["owner"]
    assert client.organization.get().member_count == 1


def test_what_the_service_refuses_says_what_was_wrong(client: Assay) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.findings.list(severity=["grave"])
    error = refused.value
    assert (error.code, error.details[0].field) == ("invalid_request", "severity")
    assert error.request_id and error.request_id in str(error)
    with pytest.raises(PermissionDeniedError):
        client.profile.tokens.list()
    with Assay(token="asy_stranger") as stranger, pytest.raises(AuthenticationError):
        stranger.findings.list()


def test_the_asynchronous_client_does_the_same_and_several_things_at_once() -> None:
    async def journey() -> None:
        async with AsyncAssay() as client:
            page, organization = await asyncio.gather(client.findings.list(limit=2), client.organization.get())
            assert (len(page.data), organization.member_count) == (2, 1)
            ids = [finding.id async for finding in client.findings.list(limit=1)]
            assert len(set(ids)) == 3
            followed = set()
            async with contextlib.aclosing(client.findings.follow(LONG_AGO)) as changes:
                async for finding in changes:
                    followed.add(finding.id)
                    if len(followed) == 3:
                        break
            assert followed == set(ids)
            started = await client.detection_sources.scan("secrets")
            events = [event.event async for event in client.scans.events(started.id)]
            assert events[-1] == "end"
            assert (await client.scans.wait(started.id)).status == "completed"
            report = await client.reports.wait((await client.reports.create()).id)
            content = await client.reports.export(report.id, format="csv")
            assert len((await content.text()).splitlines()) > 3

    asyncio.run(journey())
