from datetime import datetime, timezone

from assay import Assay, AsyncAssay, Content, FindingStatus, NotFoundError, Page, Severity, params, types

filters: params.FindingListParams = {"status": ["new"], "from_": datetime.now(timezone.utc), "limit": 2}
client = Assay(token=None, base_url="http://127.0.0.1:1/api/v1", timeout=10)


def use() -> list[str]:
    page: Page[types.Finding] = client.findings.list(**filters)
    texts: list[str] = [finding.location.path or finding.title for finding in page.data]
    texts += [finding.severity for finding in client.findings.list(severity=["critical"])]
    high = [Severity.CRITICAL, Severity.HIGH]
    texts += [finding.title for finding in client.findings.list(severity=["high"]) if finding.severity in high]
    client.findings.update_many(filter={"severity": [Severity.LOW]}, status=FindingStatus.TRIAGED)
    scan: types.Scan = client.detection_sources.scan("secrets", data_source="ds_1")
    texts += [f"{event.event} {event.data.status}" for event in client.scans.events(scan.id)]
    for event in client.events.follow(last_event_id="7"):
        if isinstance(event.data, types.ScanEvent):
            texts += [event.id or "", event.data.status]
    file: Content = client.reports.export("rpt_1", format="pdf", options={"timeout": 5})
    file.save_to("report.pdf")
    client.data_sources.create(kind="git_repository", config={"url": "https://git.example/a.git"})
    client.findings.update("fnd_1", status="triaged", assignee=None, options={"if_match": '"1"'})
    client.findings.list(colour="red")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    client.findings.list(limit="two")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.findings.comment("fnd_1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    page.data[0].colour  # type: ignore[attr-defined]  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    try:
        client.findings.get("fnd_1")
    except NotFoundError as error:
        texts += [error.code or "", str(error.status)]
    return texts


async def use_async() -> list[datetime]:
    async with AsyncAssay() as client:
        page = await client.findings.list(limit=2)
        times = [finding.first_seen_at for finding in page.data]
        times += [finding.updated_at async for finding in client.findings.follow("2026-01-01T00:00:00Z")]
        return times + [scan.created_at async for scan in client.scans.list(status=["running"])]
