# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from assay._models import Model


class AcceptedRiskPolicy(Model):
    """
    The conditions for accepting a risk.
    """

    max_days: int | None
    """
    The maximum number of days for which people can accept a risk; null for no limit.
    """
    reason_required: bool
    """
    Whether they must add a comment.
    """


class AccountChoice(Model):
    id: str
    """
    `usr_…`
    """
    organizations: list[str]
    """
    The names of the organizations that it belongs to.
    """


class ApiTokenReference(Model):
    id: str
    """
    `tok_…`
    """
    name: str


class Assignee(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    """
    Display name.
    """
    email: str
    """
    Email address.
    """


class AuditTarget(Model):
    id: str
    """
    The id of what was changed; it may be gone.
    """
    name: str | None
    """
    The name that it had then.
    """


class ConfirmedEmail(Model):
    email: str
    """
    The new address.
    """


class ConnectionTest(Model):
    reachable: bool
    """
    Whether a scan could reach the data source now.
    """
    code: (
        Literal[
            "ok",
            "refused",
            "host_not_found",
            "unreachable",
            "timeout",
            "untrusted",
            "authentication_failed",
            "invalid_credential",
            "not_found",
            "branch_not_found",
            "empty",
            "unavailable",
            "failed",
        ]
        | str
    )
    """
    `ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.
    """
    message: str
    """
    The result as a sentence for people.
    """


class ContainerImageConfig(Model):
    """
    The configuration of a `container_image`.
    """

    reference: str
    """
    The image reference, as it was given.
    """


class DataSourceCount(Model):
    id: str
    """
    `ds_…`
    """
    name: str
    open: int
    total: int


class DataSourceOwner(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    """
    Display name.
    """
    email: str
    """
    Email address.
    """


class DataSourceReference(Model):
    id: str
    """
    `ds_…`
    """
    name: str
    """
    Its name.
    """
    kind: Literal["git_repository", "website", "host", "container_image", "upload"] | str
    """
    The kind of the data source; it never changes.
    """


class DaysByCriticality(Model):
    """
    The days to fix, by the criticality of the data source.
    """

    low: int | None
    """
    Days from the first sighting, or from the last reopening; null for no due date.
    """
    medium: int | None
    """
    Days from the first sighting, or from the last reopening; null for no due date.
    """
    high: int | None
    """
    Days from the first sighting, or from the last reopening; null for no due date.
    """
    critical: int | None
    """
    Days from the first sighting, or from the last reopening; null for no due date.
    """


class DaysToFix(Model):
    """
    The days to fix a finding, by its severity and the criticality of its data source.
    """

    critical: DaysByCriticality
    high: DaysByCriticality
    medium: DaysByCriticality
    low: DaysByCriticality
    info: DaysByCriticality


class FacetValue(Model):
    value: str
    """
    The value as the filter of the list accepts it; `none` for findings without an assignee, or in data sources without an owner.
    """
    label: str | None
    """
    The display name if the value is the id of a data source, a person or a rule.
    """
    count: int


class FieldChange(Model):
    field: str
    """
    The field of the finding.
    """
    from_: Annotated[Any, Field(alias="from")]
    """
    Its value before.
    """
    to: Any
    """
    Its value after.
    """


class FindingPlace(Model):
    path: str | None
    start_line: int | None
    end_line: int | None
    commit: str | None


class FindingRule(Model):
    id: str
    """
    Stable name of the rule.
    """
    name: str
    """
    Display name.
    """
    url: str | None
    """
    Its documentation.
    """
    tags: list[str]
    """
    The scanner's tags of the rule; those that people give the finding are its `tags`.
    """


class HostConfig(Model):
    """
    The configuration of a `host`.
    """

    address: str
    """
    The name or IP address of the host, in normal form.
    """


class InstallationCheck(Model):
    """
    The result of checking one part of the installation.
    """

    name: (
        Literal["database", "room", "clock", "backup", "jobs", "schedules", "schema", "roles", "replicas", "feeds"]
        | str
    )
    """
    The part of the installation.
    """
    state: Literal["ok", "warning", "failed"] | str
    """
    `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
    """
    summary: str
    """
    The result of the check, as a sentence.
    """
    action: str | None
    """
    The next step; null when it is `ok`.
    """


class JoinCode(Model):
    code: str
    """
    To enter in a session of the other account. It works once.
    """
    expires_at: datetime
    """
    UTC, to the second.
    """


class KnownRule(Model):
    id: str
    name: str
    """
    Display name.
    """
    count: int
    """
    How many findings have it, closed ones too.
    """
    approximate: bool
    """
    Always false: the counts are exact.
    """


class KnownTag(Model):
    tag: str
    count: int
    """
    How many findings have it, closed ones too.
    """
    approximate: bool
    """
    Always false: the counts are exact.
    """


class OpenedAndClosed(Model):
    opened: int
    closed: int


class OtherAccount(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    organizations: list[str]
    """
    The names of the organizations that it belongs to.
    """


class OtherAccounts(Model):
    data: list[OtherAccount]
    """
    Accounts that organizations made for your address. Empty while your address is not verified.
    """


class PackageReference(Model):
    ecosystem: str
    """
    The ecosystem as OSV names it, e.g. `npm`, `PyPI`, `Go`.
    """
    name: str
    """
    Name of the package.
    """
    version: str | None
    """
    The version that was found.
    """
    fixed_version: str | None
    """
    The first version without the problem, if known.
    """
    purl: str | None
    """
    Package URL.
    """


class Passkey(Model):
    id: str
    """
    `psk_…`
    """
    name: str
    is_backed_up: bool
    """
    Whether it is kept by an account, and so on several devices.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    last_used_at: datetime | None
    """
    UTC, to the second.
    """


class PasskeyAlgorithm(Model):
    type: str
    alg: int


class PasskeyDescriptor(Model):
    id: str
    type: str
    transports: list[str] | None = None


class PasskeyRelyingParty(Model):
    id: str | None = None
    name: str


class PasskeyRequestOptions(Model):
    """
    What `navigator.credentials.get()` takes: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.
    """

    challenge: str
    rpId: str | None = None
    timeout: int | None = None
    userVerification: str | None = None
    allowCredentials: list[PasskeyDescriptor] | None = None


class PasskeyUser(Model):
    id: str
    name: str
    displayName: str


class RecoveryCodes(Model):
    recovery_codes: list[str]
    """
    Each code signs you in once without the authenticator. They are returned only this once.
    """


class RuleCount(Model):
    id: str
    name: str
    open: int
    total: int


class ScanFindings(Model):
    new: int
    """
    Seen for the first time.
    """
    seen: int
    """
    Known and seen again.
    """
    reopened: int
    """
    Came back after they had been resolved.
    """
    resolved: int
    """
    Gone.
    """


class ScanMessage(Model):
    data_source_id: str
    """
    `ds_…`
    """
    data_source_name: str
    message: str


class ScanProgress(Model):
    targets_total: int
    """
    Data sources that it scans.
    """
    targets_done: int
    """
    How many of them have ended.
    """
    percent: int
    message: str | None
    """
    What it is doing.
    """


class ScanSchedule(Model):
    id: str
    """
    `sch_…`
    """
    name: str
    source: str
    """
    Type of the detection source.
    """
    data_sources: list[str] | None
    """
    The ids of the data sources; null for all that the source supports.
    """
    cron: str
    timezone: str
    enabled: bool
    next_run_at: datetime | None
    """
    The next due time; null while it is disabled.
    """
    last_run_at: datetime | None
    """
    UTC, to the second.
    """
    last_scan_id: str | None
    """
    The last scan that it started, or that was already running.
    """
    last_error: str | None
    """
    Why the last due time started no scan.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    updated_at: datetime
    """
    UTC, to the second.
    """


class ScanTargetProgress(Model):
    percent: int
    message: str | None
    """
    What it is doing.
    """


class ScanTargetRetry(Model):
    count: int
    """
    How often it has failed until now.
    """
    reason: str
    """
    Why the last attempt failed.
    """
    at: datetime | None
    """
    When the next attempt begins, in UTC to the second; null while it runs.
    """


class ScanTool(Model):
    source: str
    version: str


class Session(Model):
    id: str
    """
    `ses_…`
    """
    is_current: bool
    """
    Whether this request uses this session.
    """
    ip_address: str | None
    """
    The address from which the person signed in.
    """
    user_agent: str | None
    """
    The browser, as it names itself.
    """
    created_at: datetime
    """
    When the person signed in.
    """
    last_active_at: datetime | None
    """
    The time of the last request, to the minute; null before the first.
    """
    expires_at: datetime
    """
    UTC, to the second.
    """


class SeverityCounts(Model):
    critical: int
    high: int
    medium: int
    low: int
    info: int


class SignInPolicy(Model):
    """
    The conditions under which members and their tokens reach the organization.
    """

    second_factor: bool
    """
    Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it.
    """
    single_sign_on: bool
    """
    Whether only sessions by single sign-on are accepted.
    """
    password: bool
    """
    Whether sessions that were begun with a password, with or without a code, are accepted.
    """
    token_longest_days: int | None
    """
    The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then.
    """
    allowed_addresses: list[str]
    """
    The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all.
    """


class SignInRefusal(Model):
    code: str
    message: str


class SignedInPerson(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    email: str
    """
    Email address.
    """


class SingleSignOnOption(Model):
    name: str
    """
    What the operator calls it, for the button.
    """


class SingleSignOnStart(Model):
    url: str
    """
    The address of the provider: send the browser there.
    """


class StatusCounts(Model):
    new: int
    triaged: int
    in_progress: int
    resolved: int
    false_positive: int
    accepted_risk: int


class SuggestedConfig(Model):
    """
    The `config` to add it with.
    """

    url: str
    """
    The URL of the repository.
    """


class TimetablePreview(Model):
    cron: str
    timezone: str
    description: str
    """
    The timetable in English.
    """
    next_runs: list[datetime]
    """
    The next due times; fewer than five if there are no more.
    """


class TokenRateLimit(Model):
    """
    The number of requests that each API token of the organization may make.
    """

    requests_per_minute: int
    burst_per_minute: int


class TwoFactorSetup(Model):
    secret: str
    """
    The secret in base32, to type into an authenticator.
    """
    uri: str
    """
    The secret as `otpauth://` URI, to show as a QR code.
    """
    recovery_codes: list[str]
    """
    Each code signs you in once without the authenticator. They are returned only this once.
    """


class UploadConfig(Model):
    """
    The configuration of an `upload`, which is empty.
    """


class UserReference(Model):
    id: str
    """
    `usr_…`
    """
    name: str


class ViewFilter(Model):
    """
    Filters of the list of findings, several values as an array; `{}` selects all findings.
    """

    severity: (
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
        | None
    ) = None
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: list[str] | None = None
    """
    Any of these detection source types.
    """
    status: (
        list[
            Literal[
                "new",
                "triaged",
                "in_progress",
                "resolved",
                "false_positive",
                "accepted_risk",
                "-new",
                "-triaged",
                "-in_progress",
                "-resolved",
                "-false_positive",
                "-accepted_risk",
            ]
            | str
        ]
        | None
    ) = None
    """
    Any of these statuses.
    """
    data_source: list[str] | None = None
    """
    In any of these data sources (ids).
    """
    from_: Annotated[datetime | None, Field(alias="from")] = None
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: datetime | None = None
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: list[str] | None = None
    """
    In data sources with any of these tags.
    """
    owner: list[str] | None = None
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: (
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str] | None
    ) = None
    """
    In data sources of any of these criticalities.
    """
    tag: list[str] | None = None
    """
    With any of these tags.
    """
    assignee: list[str] | None = None
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: list[str] | None = None
    """
    Of any of these rules (ids).
    """
    rule_tag: list[str] | None = None
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
    """
    identifier: list[str] | None = None
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: list[str] | None = None
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: list[str] | None = None
    """
    In any of these packages (names).
    """
    reopened: bool | None = None
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: datetime | None = None
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: int | None = None
    """
    Of this priority or a higher one.
    """
    kev: bool | None = None
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: float | None = None
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: list[Literal["test", "none", "-test", "-none"] | str] | None = None
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: bool | None = None
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: bool | None = None
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: datetime | None = None
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: str | None = None
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: datetime | None = None
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: datetime | None = None
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """


class WebsiteConfig(Model):
    """
    The configuration of a `website`.
    """

    url: str
    """
    The URL of the website, in normal form.
    """


class AcceptedInvitation(Model):
    user: SignedInPerson
    organization_id: str
    """
    `org_…`
    """
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """


class AgeCount(Model):
    up_to_days: int | None
    """
    Null for all that are older than the band before.
    """
    open: int
    by_severity: SeverityCounts


class ApiToken(Model):
    id: str
    """
    `tok_…`
    """
    name: str
    scopes: (
        list[
            Literal[
                "findings:read",
                "findings:write",
                "scans:read",
                "scans:write",
                "reports:read",
                "reports:write",
                "sources:read",
                "sources:write",
                "organization:read",
                "organization:write",
            ]
            | str
        ]
        | None
    )
    """
    The scopes to which the token is limited; null for everything that its user may do.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    expires_at: datetime | None
    """
    UTC, to the second.
    """
    last_used_at: datetime | None
    """
    To the minute.
    """


class AuditActor(Model):
    type: Literal["user", "token", "system"] | str
    """
    `system`: the operator at the command line, or the platform itself.
    """
    user: UserReference | None
    """
    The person, also behind a token; null for the system.
    """
    token: ApiTokenReference | None
    """
    The API token; null for a console session and for the system.
    """
    address: str | None
    """
    The IP address of the client.
    """


class AuditEvent(Model):
    id: str
    """
    `aud_…`
    """
    sequence: int
    """
    The position in the organization's chain, without gaps.
    """
    occurred_at: datetime
    """
    The time at which the change took effect.
    """
    actor: AuditActor
    action: str
    """
    `noun.verb`; the parameter `action` lists them all.
    """
    target: AuditTarget | None
    before: dict[str, Any] | None
    """
    The fields that the change replaced or removed, with their values before it.
    """
    after: dict[str, Any] | None
    """
    The fields that the change set, with their values after it.
    """
    details: dict[str, Any]
    """
    Circumstances, such as a reason or a count.
    """
    hash: str
    """
    SHA-256 of this event and the hash of the one before.
    """


class BulkChange(Model):
    """
    What is set on each finding; only the given fields are there.
    """

    status: Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str | None = None
    tags: list[str] | None = None
    add_tags: list[str] | None = None
    remove_tags: list[str] | None = None
    assignee: str | None = None
    """
    `usr_…`
    """
    comment: str | None = None
    accepted_until: datetime | None = None
    """
    UTC, to the second.
    """


class BulkOperationFilter(Model):
    severity: (
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
        | None
    ) = None
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: list[str] | None = None
    """
    Any of these detection source types.
    """
    status: (
        list[
            Literal[
                "new",
                "triaged",
                "in_progress",
                "resolved",
                "false_positive",
                "accepted_risk",
                "-new",
                "-triaged",
                "-in_progress",
                "-resolved",
                "-false_positive",
                "-accepted_risk",
            ]
            | str
        ]
        | None
    ) = None
    """
    Any of these statuses.
    """
    data_source: list[str] | None = None
    """
    In any of these data sources (ids).
    """
    from_: Annotated[datetime | None, Field(alias="from")] = None
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: datetime | None = None
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: list[str] | None = None
    """
    In data sources with any of these tags.
    """
    owner: list[str] | None = None
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: (
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str] | None
    ) = None
    """
    In data sources of any of these criticalities.
    """
    tag: list[str] | None = None
    """
    With any of these tags.
    """
    assignee: list[str] | None = None
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: list[str] | None = None
    """
    Of any of these rules (ids).
    """
    rule_tag: list[str] | None = None
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
    """
    identifier: list[str] | None = None
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: list[str] | None = None
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: list[str] | None = None
    """
    In any of these packages (names).
    """
    reopened: bool | None = None
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: datetime | None = None
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: int | None = None
    """
    Of this priority or a higher one.
    """
    kev: bool | None = None
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: float | None = None
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: list[Literal["test", "none", "-test", "-none"] | str] | None = None
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: bool | None = None
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: bool | None = None
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: datetime | None = None
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: str | None = None
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: datetime | None = None
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: datetime | None = None
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """


class BulkUndo(Model):
    requested_by: UserReference | None
    restored: int
    """
    Findings that are as they were before the operation.
    """
    passed_over: int
    """
    Findings that were changed since the operation, and keep that change.
    """
    completed_at: datetime | None
    """
    UTC, to the second.
    """


class ChangeActor(Model):
    """
    Who or what made the change.
    """

    kind: Literal["user", "scan", "system"] | str
    id: str | None
    """
    `usr_…` or `scan_…`
    """
    name: str | None


class ClosedNothing(Model):
    code: Literal["failed", "cancelled", "incomplete", "not_requested", "overtaken", "nothing_missing"] | str
    """
    - `failed`: The target failed: what it found stays, and what it did not see may still be there.
    - `cancelled`: The scan was cancelled before the target was done.
    - `incomplete`: Not all of the data source was covered: the warnings say what was left out.
    - `not_requested`: The import did not ask for it: send `close_missing=true` to close what the file no longer reports.
    - `overtaken`: A scan that began later ended first, and has seen a newer state.
    - `nothing_missing`: Everything that was open before was seen again.
    """
    message: str
    """
    The same in words.
    """


class DailySeverityCounts(Model):
    critical: OpenedAndClosed
    high: OpenedAndClosed
    medium: OpenedAndClosed
    low: OpenedAndClosed
    info: OpenedAndClosed


class DataSourceSuggestion(Model):
    kind: Literal["git_repository"]
    name: str
    """
    The name to give it.
    """
    description: str
    """
    What it is good for, in a sentence.
    """
    config: SuggestedConfig
    data_source_id: str | None
    """
    The data source with this address, if there is one already.
    """


class ErrorDetail(Model):
    """
    What was wrong with one field or parameter of a request.
    """

    in_: Annotated[Literal["query", "body", "path", "header"] | str | None, Field(alias="in")] = None
    """
    The part of the request that has the problem.
    """
    field: str | None = None
    """
    The parameter, header or field: `limit`, `If-Match`, `config.url`, `ids[3]`.
    """
    message: str
    """
    What was wrong, and what is accepted.
    """
    id: str | None = None
    """
    The id of what conflicts with the request, for example of what exists already.
    """
    limit: int | None = None
    """
    The limit that is reached.
    """


class Facet(Model):
    field: (
        Literal[
            "severity",
            "status",
            "source",
            "data_source",
            "data_source_tag",
            "owner",
            "criticality",
            "rule",
            "tag",
            "assignee",
            "identifier",
        ]
        | str
    )
    approximate: bool
    """
    Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization.
    """
    margin: int
    """
    By how much the largest count is off at most, in 95 of 100 cases; 0 when exact.
    """
    more: bool
    """
    Whether there are further values with smaller counts.
    """
    values: list[FacetValue]
    """
    The 50 values with the largest counts, the largest first. Severities, statuses and criticalities are complete and in their own order.
    """


class FailedSignIn(Model):
    address: str | None
    """
    The address from which it was tried; null for the attempts from many further addresses together.
    """
    methods: list[
        Literal["password", "code", "recovery_code", "passkey", "single_sign_on", "link", "confirmation"] | str
    ]
    """
    The ways that were tried. `confirmation`: the password or code that an action of a signed-in person asks for again.
    """
    attempts: int
    first_at: datetime
    """
    The first of these attempts.
    """
    last_at: datetime
    """
    The last of these attempts.
    """


class FindingChange(Model):
    id: str
    """
    `his_…`
    """
    at: datetime
    """
    UTC, to the second.
    """
    actor: ChangeActor
    changes: list[FieldChange]


class FindingComment(Model):
    id: str
    """
    `cmt_…`
    """
    finding_id: str
    """
    `fnd_…`
    """
    comment: str
    """
    Markdown; empty when it was deleted.
    """
    author: UserReference | None
    """
    Null for comments by the platform itself.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    edited_at: datetime | None
    """
    When its author last changed it; null if never.
    """
    deleted_at: datetime | None
    """
    When its author deleted it: its text is gone, and this mark remains.
    """


class FindingFacets(Model):
    total: int
    """
    How many findings the filters select.
    """
    approximate: bool
    """
    Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization.
    """
    margin: int
    """
    By how much `total` is off at most, in 95 of 100 cases; 0 when exact.
    """
    facets: list[Facet]
    """
    The counts of each field, in the order of the request.
    """


class FindingGroup(Model):
    value: str
    """
    The rule, the data source (id) or the package (name): as the filter takes it.
    """
    label: str | None
    """
    The name of the rule or the data source.
    """
    count: int
    by_severity: SeverityCounts
    last_seen_at: datetime | None
    """
    The newest completed scan that saw one of them.
    """
    approximate: bool
    """
    Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization.
    """
    margin: int
    """
    By how much `count`, or one of `by_severity`, is off at most, in 95 of 100 cases; 0 when exact.
    """


class FindingLocation(Model):
    path: str | None
    """
    Path of the file within its data source.
    """
    start_line: int | None
    end_line: int | None
    start_column: int | None
    end_column: int | None
    """
    The first column after the problem.
    """
    commit: str | None
    """
    The commit that introduced it.
    """
    url: str | None
    """
    A link to the location.
    """
    package: PackageReference | None


class FindingWithPlaces(Model):
    id: str
    """
    `fnd_…`
    """
    title: str
    """
    The problem and its location in one line.
    """
    description: str
    """
    Markdown.
    """
    severity: Literal["critical", "high", "medium", "low", "info"] | str
    status: Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str
    source: str
    """
    Type of the detection source that reported it.
    """
    data_source: DataSourceReference
    rule: FindingRule
    location: FindingLocation
    identifiers: list[str]
    """
    Public identifiers, e.g. CWE, CVE and GHSA.
    """
    cvss_score: float | None
    evidence: str | None
    """
    The offending content; secrets are redacted.
    """
    remediation: str | None
    """
    How to fix it. Markdown.
    """
    references: list[str]
    """
    Links to further reading.
    """
    tags: list[str]
    """
    The tags that people gave it.
    """
    assignee: Assignee | None
    fingerprint: str
    """
    Identity within its data source and source, prefixed with a version.
    """
    occurrences: int
    """
    The number of places in which it occurs.
    """
    comment_count: int
    resolution: Literal["fixed", "data_source_removed"] | str | None
    """
    Why it was resolved, if not by a person.
    """
    accepted_until: datetime | None
    """
    The time until which the risk is accepted.
    """
    reopened_count: int
    """
    How often it was found again after it was resolved.
    """
    first_seen_at: datetime
    """
    UTC, to the second.
    """
    last_seen_at: datetime
    """
    When a completed scan last saw it.
    """
    updated_at: datetime
    """
    When its facts or its triage last changed.
    """
    closed_at: datetime | None
    """
    UTC, to the second.
    """
    context: Literal["test"] | None
    """
    `test` when all its places are in tests or examples, by their paths.
    """
    priority: int
    """
    What to fix first: the higher, the sooner.
    """
    priority_reasons: list[
        Literal[
            "test_code",
            "fix_available",
            "cvss",
            "data_source_low",
            "data_source_high",
            "data_source_critical",
            "public",
            "known_exploited",
            "epss_top_1_percent",
            "epss_top_5_percent",
            "epss_top_20_percent",
        ]
        | str
    ]
    """
    What raised or lowered the priority, besides the severity.
    """
    epss: float | None
    """
    The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
    """
    epss_percentile: float | None
    """
    The share of all CVEs with that EPSS score or a lower one.
    """
    kev: str | None
    """
    The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
    """
    due_at: datetime | None
    """
    When it must be fixed by the policy; null when it is closed or has no due date.
    """
    places: list[FindingPlace]
    """
    The places in which it occurs, at most 100.
    """


class GitRepositoryConfig(Model):
    """
    The configuration of a `git_repository`.
    """

    url: str
    """
    The URL from which git fetches the repository.
    """
    branch: str | None
    """
    The branch to scan; null for the default branch.
    """
    branches: Literal["all"] | None = None
    """
    `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
    """


class ImportPreviewSample(Model):
    id: str
    """
    `fnd_…`
    """
    title: str
    severity: Literal["critical", "high", "medium", "low", "info"] | str


class Installation(Model):
    """
    The state of the installation: the most severe of its checks, and each of them.
    """

    state: Literal["ok", "warning", "failed"] | str
    """
    `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
    """
    checked_at: datetime
    """
    When it was checked.
    """
    checks: list[InstallationCheck]


class Invitation(Model):
    id: str
    """
    `inv_…`
    """
    email: str
    """
    Email address.
    """
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """
    status: Literal["pending", "accepted", "expired", "revoked"] | str
    invited_by: UserReference | None
    created_at: datetime
    """
    UTC, to the second.
    """
    expires_at: datetime
    """
    UTC, to the second.
    """


class InvitationPreview(Model):
    email: str
    """
    The address that was invited.
    """
    organization: str
    """
    The name of the organization.
    """
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """
    invited_by: str | None
    """
    The name of the person who sent the invitation.
    """
    expires_at: datetime
    """
    UTC, to the second.
    """
    has_account: bool
    """
    Whether the person has an account with this address, to sign in to. Only a link that went by mail says so: false for all others.
    """
    can_accept: bool
    """
    Whether the account that this browser is signed in to can accept, without a password.
    """


class LastScan(Model):
    id: str
    """
    `scan_…`
    """
    status: Literal["queued", "running", "completed", "partial", "failed", "cancelled"] | str
    """
    `partial`: some targets failed, and `errors` names each; the others count.
    """
    completed_at: datetime | None
    """
    UTC, to the second.
    """


class Member(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    email: str
    """
    Email address.
    """
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """
    joined_at: datetime
    """
    UTC, to the second.
    """
    last_active_at: datetime | None
    """
    The time of the last request, to the minute; null before the first.
    """


class Membership(Model):
    id: str
    """
    `org_…`
    """
    name: str
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """


class NewApiToken(Model):
    id: str
    """
    `tok_…`
    """
    name: str
    scopes: (
        list[
            Literal[
                "findings:read",
                "findings:write",
                "scans:read",
                "scans:write",
                "reports:read",
                "reports:write",
                "sources:read",
                "sources:write",
                "organization:read",
                "organization:write",
            ]
            | str
        ]
        | None
    )
    """
    The scopes to which the token is limited; null for everything that its user may do.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    expires_at: datetime | None
    """
    UTC, to the second.
    """
    last_used_at: datetime | None
    """
    To the minute.
    """
    token: str
    """
    The token itself. It is returned only this once.
    """


class NewInvitation(Model):
    id: str
    """
    `inv_…`
    """
    email: str
    """
    Email address.
    """
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """
    status: Literal["pending", "accepted", "expired", "revoked"] | str
    invited_by: UserReference | None
    created_at: datetime
    """
    UTC, to the second.
    """
    expires_at: datetime
    """
    UTC, to the second.
    """
    url: str | None
    """
    The link for the person, which is returned only here; null where the platform mails it. It works once.
    """


class Organization(Model):
    id: str
    """
    `org_…`
    """
    name: str
    plan: Literal["default", "enterprise"] | str
    rate_limit: TokenRateLimit
    member_count: int
    created_at: datetime
    """
    UTC, to the second.
    """
    runs_installation: bool
    """
    Whether it is the organization that was created first, whose owners may check the installation.
    """


class PasskeyCreationOptions(Model):
    """
    What `navigator.credentials.create()` takes: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.
    """

    challenge: str
    rp: PasskeyRelyingParty
    user: PasskeyUser
    pubKeyCredParams: list[PasskeyAlgorithm]
    timeout: int | None = None
    attestation: str | None = None
    excludeCredentials: list[PasskeyDescriptor] | None = None


class Policy(Model):
    days_to_fix: DaysToFix
    test_grace_days: int
    """
    Days more for findings in test code, which the path shows.
    """
    accepted_risk: AcceptedRiskPolicy
    sign_in: SignInPolicy


class Preferences(Model):
    theme: Literal["system", "light", "dark"] | str
    density: Literal["comfortable", "compact"] | str
    columns: list[str] | None
    """
    The columns of the list of findings, as members of a finding, in order; null for the default ones.
    """
    single_keys: bool
    """
    Whether single keys act, such as `j`, `k` and `1` to `5`.
    """
    custom: Annotated[
        dict[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_.-]{0,63}$")], Any],
        Field(max_length=100),
    ]
    """
    Whatever else a client keeps: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`.
    """


class Profile(Model):
    id: str
    """
    `usr_…`
    """
    name: str
    email: str
    """
    Email address.
    """
    email_verified: bool
    """
    Whether the person has shown, by a mailed link or single sign-on, that the address is theirs. Until then the account belongs to one organization only.
    """
    two_factor_enabled: bool
    has_password: bool
    """
    Whether the person can sign in with a password. People without one use single sign-on or passkeys.
    """
    organization: Membership
    organizations: list[Membership]
    """
    All organizations that the person belongs to, in the order of joining.
    """
    sign_in_refusal: SignInRefusal | None
    """
    Why the organization refuses this session, which can still read and change its own profile; null when it does not.
    """
    permissions: list[
        Literal[
            "findings:read",
            "findings:write",
            "views:write",
            "views:share",
            "views:manage",
            "scans:read",
            "scans:write",
            "schedules:write",
            "reports:read",
            "reports:write",
            "scheduled_reports:write",
            "sources:read",
            "sources:write",
            "imports:write",
            "organization:read",
            "organization:write",
            "audit:read",
            "owners:write",
            "installation:read",
            "preferences:write",
        ]
        | str
    ]
    """
    The permissions of the caller in the current organization, by role and, for a token, scopes. `views:write` is for private views, `views:share` for shared ones, `views:manage` for those that others share, `owners:write` for making and removing owners, `installation:read` for checking the installation, in the organization that runs it.
    """


class ReportDelivery(Model):
    report_id: str
    """
    `rpt_…`
    """
    recipient: str
    """
    Email address.
    """
    status: Literal["pending", "sent", "failed"] | str
    """
    `pending`: not sent yet, or to be tried again; `failed`: no attempts are left.
    """
    attempts: int
    """
    How often it was tried, the successful attempt included.
    """
    error: str | None
    """
    Why the last attempt failed.
    """
    created_at: datetime
    """
    When the report was created.
    """
    sent_at: datetime | None
    """
    When the mail server accepted the mail.
    """


class ReportDocumentControl(Model):
    """
    What the document says about itself, and how it looks.
    """

    version: str
    """
    The version of the document, `1.0` by default.
    """
    state: Literal["draft", "final"] | str
    """
    `final` by default.
    """
    author: str | None
    """
    Who wrote the document; by default, who created the report.
    """
    reviewer: str | None
    """
    Who reviewed it.
    """
    distribution: list[str]
    """
    The people and groups who receive the document.
    """
    classification: str | None
    """
    Who may read it: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words.
    """
    language: Literal["en", "de"] | str
    """
    `en` by default.
    """
    paper: Literal["a4", "letter"] | str
    """
    `a4` by default.
    """
    accent_color: str | None
    """
    The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white.
    """
    footer: str | None
    """
    A line at the foot of each page.
    """
    foreword: str | None
    """
    A section before the summary. Markdown.
    """
    conclusion: str | None
    """
    A section after the findings. Markdown.
    """


class ReportSelection(Model):
    """
    The filters of the request.
    """

    severity: (
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
        | str
        | None
    ) = None
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: list[str] | str | None = None
    """
    Any of these detection source types.
    """
    status: (
        list[
            Literal[
                "new",
                "triaged",
                "in_progress",
                "resolved",
                "false_positive",
                "accepted_risk",
                "-new",
                "-triaged",
                "-in_progress",
                "-resolved",
                "-false_positive",
                "-accepted_risk",
            ]
            | str
        ]
        | str
        | None
    ) = None
    """
    Any of these statuses.
    """
    data_source: list[str] | str | None = None
    """
    In any of these data sources (ids).
    """
    data_source_tag: list[str] | str | None = None
    """
    In data sources with any of these tags.
    """
    owner: list[str] | str | None = None
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: (
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str] | str | None
    ) = None
    """
    In data sources of any of these criticalities.
    """
    tag: list[str] | str | None = None
    """
    With any of these tags.
    """
    assignee: list[str] | str | None = None
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: list[str] | str | None = None
    """
    Of any of these rules (ids).
    """
    rule_tag: list[str] | str | None = None
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
    """
    identifier: list[str] | str | None = None
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: list[str] | str | None = None
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: list[str] | str | None = None
    """
    In any of these packages (names).
    """
    reopened: bool | None = None
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: datetime | None = None
    """
    Its risk is accepted until this time or an earlier one.
    """
    priority_min: int | None = None
    """
    Of this priority or a higher one.
    """
    kev: bool | None = None
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: float | None = None
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: list[Literal["test", "none", "-test", "-none"] | str] | str | None = None
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: bool | None = None
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: bool | None = None
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: datetime | None = None
    """
    Due at or before this time.
    """
    from_: Annotated[datetime | None, Field(alias="from")] = None
    """
    First seen at or after this time.
    """
    to: datetime | None = None
    """
    First seen at or before this time.
    """
    q: str | None = None
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: datetime | None = None
    """
    Changed at or after this time.
    """
    updated_to: datetime | None = None
    """
    Last changed at or before this time.
    """


class ReportSummary(Model):
    total: int
    by_severity: SeverityCounts
    by_status: StatusCounts
    by_source: dict[str, int]
    """
    Detection source types that have findings.
    """
    by_data_source: list[DataSourceCount]
    """
    Data sources that have findings, the one with most open ones first.
    """


class Sandbox(Model):
    """
    How the programs that the source starts are confined on the worker; of several workers, on the one that confines them least. Null when it starts none, or no worker has reported it. An extension.
    """

    status: Literal["active", "partial", "none", "off"] | str
    """
    `active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.
    """
    kind: Literal["bubblewrap", "user_namespace"] | str | None
    reason: str | None
    """
    Why they are not confined, or only in part.
    """


class ScanSeverities(Model):
    before: SeverityCounts
    after: SeverityCounts


class ScanTarget(Model):
    data_source: DataSourceReference
    status: Literal["queued", "running", "completed", "failed", "cancelled"] | str
    progress: ScanTargetProgress
    retry: ScanTargetRetry | None
    """
    Set while a running target waits for its next attempt, because its program was killed or its host was not reached; null otherwise.
    """
    findings: ScanFindings
    errors: list[str]
    """
    Why the target failed.
    """
    warnings: list[str]
    """
    What a completed target left out.
    """
    closed_nothing_because: ClosedNothing | None
    """
    Why no finding was closed here; null while the target is not done, and when findings were closed.
    """
    started_at: datetime | None
    """
    UTC, to the second.
    """
    completed_at: datetime | None
    """
    UTC, to the second.
    """


class ScheduledReport(Model):
    id: str
    """
    `srp_…`
    """
    title: str
    filters: ReportSelection
    format: Literal["pdf", "docx", "csv", "xlsx", "json", "sarif", "sarif-github", "ocsf"] | str
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
    """
    template: Literal["executive", "audit", "technical"] | str
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """
    document: ReportDocumentControl
    recipients: list[str]
    cron: str
    timezone: str
    enabled: bool
    next_run_at: datetime | None
    """
    The next due time; null while it is disabled.
    """
    last_run_at: datetime | None
    """
    UTC, to the second.
    """
    last_report_id: str | None
    """
    The last report that it created; null when that report is deleted.
    """
    last_error: str | None
    """
    Why the last due time created no report, why that report failed, or which of its mails are not sent yet and why.
    """
    created_by: UserReference | None
    """
    The user on whose behalf it runs, and the meaning of `me` in the filters.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    updated_at: datetime
    """
    UTC, to the second.
    """


class SignInOptions(Model):
    password_reset: bool
    """
    Whether mails are sent, and with them links for a new password.
    """
    passkeys: bool
    """
    Whether passkeys work at this address: browsers offer none for an IP address.
    """
    single_sign_on: SingleSignOnOption | None
    """
    Null when it is not configured.
    """


class SignInResult(Model):
    status: Literal["signed_in", "code_required", "account_required"] | str
    """
    `code_required`: the password is right, and a code of the second factor is needed. `account_required`: it is that of several accounts, and one must be chosen.
    """
    user: SignedInPerson | None
    """
    The person; null until they are signed in.
    """
    accounts: list[AccountChoice] | None = None
    """
    The accounts to choose from, with `account_required` only.
    """


class SignInSession(Model):
    user: SignedInPerson | None
    """
    The signed-in person; null without a session.
    """
    expires_at: datetime | None
    """
    When the session ends; null without one.
    """


class TimelineEntry(Model):
    id: str
    """
    `his_…` of a change, `cmt_…` of a comment.
    """
    at: datetime
    """
    UTC, to the second.
    """
    kind: Literal["change", "comment"] | str
    actor: ChangeActor
    changes: list[FieldChange]
    """
    Empty for a comment.
    """
    comment: FindingComment | None
    """
    Null for a change.
    """


class View(Model):
    id: str
    """
    `view_…`
    """
    name: str
    shared: bool
    """
    Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
    """
    filter: ViewFilter
    sort: (
        Literal[
            "-first_seen_at",
            "first_seen_at",
            "-severity",
            "updated_at",
            "-updated_at",
            "due_at",
            "-priority",
            "relevance",
        ]
        | str
        | None
    )
    """
    The order of the list; null for its default. `relevance` needs a filter with `q`.
    """
    columns: list[str] | None
    """
    The columns to show, as members of a finding, in order; null for the default ones.
    """
    owner: UserReference | None
    """
    Who made it; null when that person has left the organization.
    """
    editable: bool
    """
    Whether you may change and delete it.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    updated_at: datetime
    """
    UTC, to the second.
    """


class BulkOperation(Model):
    id: str
    """
    `bulk_…`
    """
    status: Literal["queued", "running", "completed", "failed", "undoing", "undone"] | str
    """
    `failed`: it ended early; what it has changed can be undone.
    """
    change: BulkChange
    filter: BulkOperationFilter | None
    """
    The filters that select the findings; null when they were given by their ids.
    """
    as_of: datetime
    """
    Findings that were created or changed after this time are skipped.
    """
    requested_by: UserReference | None
    matched: int
    """
    Findings that matched at the start.
    """
    processed: int
    """
    How many of them it has come to.
    """
    updated: int
    """
    How many changed.
    """
    unchanged: int
    """
    How many were so already.
    """
    percent: int
    """
    Progress of the change or, later, of its undoing.
    """
    error: str | None
    """
    Why it failed.
    """
    undoable_until: datetime | None
    """
    Until then it can be undone; null when it cannot.
    """
    undo: BulkUndo | None
    """
    Null unless a person has undone it.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    completed_at: datetime | None
    """
    UTC, to the second.
    """


class DailyCount(Model):
    date: str
    """
    Day in UTC, `YYYY-MM-DD`.
    """
    opened: int
    closed: int
    by_severity: DailySeverityCounts


class DataSource(Model):
    id: str
    """
    `ds_…`
    """
    kind: Literal["git_repository", "website", "host", "container_image", "upload"] | str
    """
    The kind of the data source; it never changes.
    """
    name: str
    """
    The name of the data source.
    """
    config: GitRepositoryConfig | WebsiteConfig | HostConfig | ContainerImageConfig | UploadConfig
    """
    The configuration, by kind. Credentials are never returned.
    """
    has_credential: bool
    """
    Whether a credential is stored for the data source.
    """
    tags: list[str]
    """
    Words to group data sources by.
    """
    owner: DataSourceOwner | None
    """
    Who is responsible for it.
    """
    criticality: Literal["low", "medium", "high", "critical"] | str
    """
    How much depends on it: a `critical` data source makes its findings more urgent. `medium` by default.
    """
    exposure: Literal["internal", "public"] | str
    """
    Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
    """
    status: Literal["never_scanned", "ok", "error"] | str
    """
    The outcome of the last scan.
    """
    status_message: str | None
    """
    The reason, when the status is `error`.
    """
    open_findings: int
    """
    The number of its findings that are `new`, `triaged` or `in_progress`.
    """
    last_scanned_at: datetime | None
    """
    When its last scan ended.
    """
    created_at: datetime
    """
    When it was added.
    """


class DetectionSource(Model):
    type: str
    """
    Names it in paths and filters.
    """
    name: str
    description: str
    mode: Literal["scan", "push"] | str
    """
    `scan`: run by the platform; `push`: its results come in by import.
    """
    status: Literal["connected", "unavailable"] | str
    status_reason: str | None
    """
    Why it is unavailable.
    """
    version: str | None
    install_command: str | None
    """
    The command that installs its program, run on the server in the folder of Assay; null when the program is there, or has to be installed in another way. An extension.
    """
    sandbox: Sandbox | None
    data_source_kinds: list[Literal["git_repository", "website", "host", "container_image", "upload"] | str]
    open_findings: int
    last_scan: LastScan | None


class Finding(Model):
    id: str
    """
    `fnd_…`
    """
    title: str
    """
    The problem and its location in one line.
    """
    description: str
    """
    Markdown.
    """
    severity: Literal["critical", "high", "medium", "low", "info"] | str
    status: Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str
    source: str
    """
    Type of the detection source that reported it.
    """
    data_source: DataSourceReference
    rule: FindingRule
    location: FindingLocation
    identifiers: list[str]
    """
    Public identifiers, e.g. CWE, CVE and GHSA.
    """
    cvss_score: float | None
    evidence: str | None
    """
    The offending content; secrets are redacted.
    """
    remediation: str | None
    """
    How to fix it. Markdown.
    """
    references: list[str]
    """
    Links to further reading.
    """
    tags: list[str]
    """
    The tags that people gave it.
    """
    assignee: Assignee | None
    fingerprint: str
    """
    Identity within its data source and source, prefixed with a version.
    """
    occurrences: int
    """
    The number of places in which it occurs.
    """
    comment_count: int
    resolution: Literal["fixed", "data_source_removed"] | str | None
    """
    Why it was resolved, if not by a person.
    """
    accepted_until: datetime | None
    """
    The time until which the risk is accepted.
    """
    reopened_count: int
    """
    How often it was found again after it was resolved.
    """
    first_seen_at: datetime
    """
    UTC, to the second.
    """
    last_seen_at: datetime
    """
    When a completed scan last saw it.
    """
    updated_at: datetime
    """
    When its facts or its triage last changed.
    """
    closed_at: datetime | None
    """
    UTC, to the second.
    """
    context: Literal["test"] | None
    """
    `test` when all its places are in tests or examples, by their paths.
    """
    priority: int
    """
    What to fix first: the higher, the sooner.
    """
    priority_reasons: list[
        Literal[
            "test_code",
            "fix_available",
            "cvss",
            "data_source_low",
            "data_source_high",
            "data_source_critical",
            "public",
            "known_exploited",
            "epss_top_1_percent",
            "epss_top_5_percent",
            "epss_top_20_percent",
        ]
        | str
    ]
    """
    What raised or lowered the priority, besides the severity.
    """
    epss: float | None
    """
    The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
    """
    epss_percentile: float | None
    """
    The share of all CVEs with that EPSS score or a lower one.
    """
    kev: str | None
    """
    The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
    """
    due_at: datetime | None
    """
    When it must be fixed by the policy; null when it is closed or has no due date.
    """


class FindingBulkUpdateResult(Model):
    updated: int
    """
    How many findings changed so far; those that were so already are not counted. 0 in a dry run.
    """
    operation: BulkOperation | None
    """
    The operation, which can be undone; null in a dry run, and when nothing changed.
    """
    matched: int
    """
    How many findings match.
    """
    unchanged: int
    """
    How many of them already have these values.
    """
    as_of: datetime
    """
    Later changes are not in these figures. Send it with the real update.
    """
    by_severity: SeverityCounts | None
    """
    Of a dry run: the matching findings by severity.
    """
    by_status: StatusCounts | None
    """
    Of a dry run: the matching findings by status.
    """
    samples: list[Finding] | None
    """
    Of a dry run: up to ten of the matching findings, the most severe ones first.
    """


class FindingDetail(Model):
    id: str
    """
    `fnd_…`
    """
    title: str
    """
    The problem and its location in one line.
    """
    description: str
    """
    Markdown.
    """
    severity: Literal["critical", "high", "medium", "low", "info"] | str
    status: Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str
    source: str
    """
    Type of the detection source that reported it.
    """
    data_source: DataSourceReference
    rule: FindingRule
    location: FindingLocation
    identifiers: list[str]
    """
    Public identifiers, e.g. CWE, CVE and GHSA.
    """
    cvss_score: float | None
    evidence: str | None
    """
    The offending content; secrets are redacted.
    """
    remediation: str | None
    """
    How to fix it. Markdown.
    """
    references: list[str]
    """
    Links to further reading.
    """
    tags: list[str]
    """
    The tags that people gave it.
    """
    assignee: Assignee | None
    fingerprint: str
    """
    Identity within its data source and source, prefixed with a version.
    """
    occurrences: int
    """
    The number of places in which it occurs.
    """
    comment_count: int
    resolution: Literal["fixed", "data_source_removed"] | str | None
    """
    Why it was resolved, if not by a person.
    """
    accepted_until: datetime | None
    """
    The time until which the risk is accepted.
    """
    reopened_count: int
    """
    How often it was found again after it was resolved.
    """
    first_seen_at: datetime
    """
    UTC, to the second.
    """
    last_seen_at: datetime
    """
    When a completed scan last saw it.
    """
    updated_at: datetime
    """
    When its facts or its triage last changed.
    """
    closed_at: datetime | None
    """
    UTC, to the second.
    """
    context: Literal["test"] | None
    """
    `test` when all its places are in tests or examples, by their paths.
    """
    priority: int
    """
    What to fix first: the higher, the sooner.
    """
    priority_reasons: list[
        Literal[
            "test_code",
            "fix_available",
            "cvss",
            "data_source_low",
            "data_source_high",
            "data_source_critical",
            "public",
            "known_exploited",
            "epss_top_1_percent",
            "epss_top_5_percent",
            "epss_top_20_percent",
        ]
        | str
    ]
    """
    What raised or lowered the priority, besides the severity.
    """
    epss: float | None
    """
    The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several.
    """
    epss_percentile: float | None
    """
    The share of all CVEs with that EPSS score or a lower one.
    """
    kev: str | None
    """
    The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several.
    """
    due_at: datetime | None
    """
    When it must be fixed by the policy; null when it is closed or has no due date.
    """
    places: list[FindingPlace]
    """
    The places in which it occurs, at most 100.
    """
    related: list[str]
    """
    Findings of other detection sources about the same problem in the same data source, at most 20: in the same package with the same advisory, or with the same CWE in the same file and line.
    """


class FindingFile(Model):
    """
    With `format=json`.
    """

    data: list[FindingWithPlaces]
    """
    Each also with `comments`, its newest ones.
    """


class FindingSummary(Model):
    total: int
    open: int
    """
    New, triaged or in progress.
    """
    by_severity: SeverityCounts
    by_status: StatusCounts
    by_source: dict[str, int]
    """
    Detection source types that have findings.
    """
    by_data_source: list[DataSourceCount]
    """
    Data sources that have findings, the one with most open ones first.
    """
    by_rule: list[RuleCount]
    """
    The 20 rules with the most open findings.
    """
    by_age: list[AgeCount]
    """
    Open findings by the days since they were first seen, the youngest first; at most a minute old.
    """
    approximate: bool
    """
    Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization.
    """
    margin: int
    """
    By how much the largest count of `by_rule` and `by_age` is off at most, in 95 of 100 cases; 0 when exact.
    """
    daily: list[DailyCount]
    """
    How many opened (new or reopened) and closed on each day, today last.
    """


class ImportPreviewMissing(Model):
    count: int
    """
    Open findings here that the file no longer reports: what `close_missing` would close.
    """
    by_severity: SeverityCounts
    samples: list[ImportPreviewSample]
    """
    Some of them, at most 10.
    """


class Report(Model):
    id: str
    """
    `rpt_…`
    """
    title: str
    status: Literal["pending", "ready", "failed"] | str
    """
    `ready`: the snapshot is taken and never changes.
    """
    error: str | None
    """
    Why the report failed.
    """
    filters: ReportSelection
    template: Literal["executive", "audit", "technical"] | str
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """
    document: ReportDocumentControl
    compare_to: str | None
    """
    The earlier report that figures are compared with; for a scheduled report, its last ready one.
    """
    summary: ReportSummary | None
    """
    The figures of the snapshot; null until it is taken.
    """
    snapshot_sha256: str | None
    """
    The SHA-256 of the snapshot, which its documents also name; null until it is taken, and in reports of earlier versions. `assay report verify` checks a document against it.
    """
    created_by: UserReference | None
    scheduled_report_id: str | None
    """
    The scheduled report that created this report.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    completed_at: datetime | None
    """
    When the snapshot was taken, or failed for the last time.
    """


class Scan(Model):
    id: str
    """
    `scan_…`
    """
    source: str
    """
    Type of the detection source.
    """
    status: Literal["queued", "running", "completed", "partial", "failed", "cancelled"] | str
    """
    `partial`: some targets failed, and `errors` names each; the others count.
    """
    trigger: Literal["api", "schedule", "import"] | str
    requested_by: UserReference | None
    data_sources: list[str] | None
    """
    Ids of the data sources it was narrowed to; null for all that the source handles.
    """
    progress: ScanProgress
    findings: ScanFindings
    by_severity: ScanSeverities | None
    """
    Of a completed import: the open findings of its tools in its data source, before and after. Null for other scans.
    """
    kept_closed: int | None
    """
    Of a completed import: how many findings of its tools in its data source it does not report, which stay closed because somebody decided (`false_positive` or `accepted_risk`). Null for other scans.
    """
    tools: list[ScanTool]
    """
    The versions of tools by detection source: of an import, as its file names them; otherwise of the program that ran. Empty while none is known.
    """
    errors: list[ScanMessage]
    """
    Targets that failed; nothing is closed there.
    """
    warnings: list[ScanMessage]
    """
    What a target that completed left out.
    """
    created_at: datetime
    """
    UTC, to the second.
    """
    started_at: datetime | None
    """
    UTC, to the second.
    """
    completed_at: datetime | None
    """
    UTC, to the second.
    """


class ImportPreview(Model):
    """
    What an import would do. `findings.resolved` heeds `close_missing`.
    """

    format: str
    """
    The format of the file, as `format` names it.
    """
    sources: list[str]
    """
    Types of the detection sources that the file covers.
    """
    results: int
    """
    Results in the file, each finding once.
    """
    suppressed: int
    """
    Results that the file says are decided on already.
    """
    findings: ScanFindings
    missing: ImportPreviewMissing
    incomplete: list[str]
    """
    Why the file may close nothing, even with `close_missing`; empty when it may.
    """
    cut: list[str]
    """
    Sentences with the number of results whose texts or lists are longer than what is kept.
    """
