# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

from typing_extensions import NotRequired


class ContainerImageConfigCreation(TypedDict):
    reference: str
    """
    Image reference: `[registry/]name[:tag][@digest]`.
    """


class DataSourceListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class DataSourceSuggestionListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class DetectionSourceListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class EmailChange(TypedDict):
    email: str
    """
    Your new address.
    """
    password: NotRequired[str]
    """
    Your password: needed when you signed in more than 15 minutes ago.
    """


class FindingCommentCreation(TypedDict):
    comment: str
    """
    Markdown, 1-10,000 characters.
    """


class FindingCommentListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingCommentUpdate(TypedDict):
    comment: str
    """
    Markdown, 1-10,000 characters.
    """


class FindingHistoryParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingTimelineParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingUpdate(TypedDict):
    status: NotRequired[Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str]
    tags: NotRequired[list[str]]
    """
    Replaces the tags. Duplicates are removed, ignoring case.
    """
    assignee: NotRequired[str | None]
    """
    Id or e-mail address of a member; null for nobody.
    """
    comment: NotRequired[str]
    """
    Markdown, 1-10,000 characters.
    """
    accepted_until: NotRequired[str | datetime | None]
    """
    With status `accepted_risk`: from this time the finding is new again; null for no end.
    """


class GitCredential(TypedDict):
    """
    The credential of a private repository. It is stored encrypted and never returned.
    """

    username: NotRequired[str]
    """
    User name, for https with a password. Hosts that accept a token as password often accept any name.
    """
    password: NotRequired[str]
    """
    Password, for https.
    """
    token: NotRequired[str]
    """
    Access token, for https, instead of a password.
    """
    private_key: NotRequired[str]
    """
    Private key in PEM or OpenSSH form, for ssh.
    """
    passphrase: NotRequired[str]
    """
    Passphrase of the private key.
    """


class GitRepositoryConfigCreation(TypedDict):
    url: str
    """
    https, ssh or git URL, or `user@host:path`. `file:` only under directories that the operator allows. No credential in it.
    """
    branch: NotRequired[str | None]
    """
    The branch to scan; null for the default branch of the repository.
    """
    credential: NotRequired[GitCredential | None]


class HostConfigCreation(TypedDict):
    address: str
    """
    Host name or IP address, without range or port.
    """


class ImportParams(TypedDict):
    format: NotRequired[
        Literal[
            "sarif",
            "cyclonedx",
            "trivy",
            "grype",
            "gitleaks",
            "trufflehog",
            "semgrep",
            "osv-scanner",
            "npm-audit",
            "pip-audit",
            "govulncheck",
            "gosec",
            "bandit",
            "checkov",
            "kics",
            "tfsec",
            "hadolint",
            "brakeman",
            "gitlab",
            "snyk",
            "nuclei",
            "nmap",
            "zap",
            "burp",
            "openvas",
            "nikto",
            "testssl",
            "ocsf",
            "asff",
            "generic",
            "spdx",
        ]
        | str
    ]
    """
    What the file is; recognised when not given.
    """
    close_missing: NotRequired[bool]
    """
    Resolve what this tool has reported here before and does not any more.
    """


class InvitationAcceptance(TypedDict):
    token: str
    """
    The `token` of the link in the mail.
    """
    name: NotRequired[str]
    """
    The name of a person who has no account yet. One line, without control or direction characters; blanks around it are removed.
    """
    password: NotRequired[str]
    """
    The password of a person who has no account yet.
    """


class InvitationListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class LinkRequest(TypedDict):
    token: str
    """
    The `token` of the link in the mail.
    """


class MemberListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class PasskeyAssertionResponse(TypedDict):
    clientDataJSON: str
    authenticatorData: str
    signature: str
    userHandle: NotRequired[str]


class PasskeyAttestationResponse(TypedDict):
    clientDataJSON: str
    attestationObject: str


class PasskeyConfirmation(TypedDict):
    password: NotRequired[str]
    """
    Your password: needed when you signed in more than 15 minutes ago.
    """


class PasskeyListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class PasskeyUpdate(TypedDict):
    name: str
    """
    What the passkey is called, for example the device. One line, without control or direction characters; blanks around it are removed.
    """


class PasswordChange(TypedDict):
    current_password: str
    """
    Your password until now.
    """
    new_password: str
    """
    8 to 128 characters.
    """


class PasswordConfirmation(TypedDict):
    password: str
    """
    Your password.
    """


class PasswordReset(TypedDict):
    token: str
    """
    The `token` of the link in the mail.
    """
    new_password: str
    """
    8 to 128 characters.
    """


class PasswordResetRequest(TypedDict):
    email: str
    """
    E-mail address.
    """


class ProfileUpdate(TypedDict):
    name: NotRequired[str]
    """
    The name that others see. One line, without control or direction characters; blanks around it are removed.
    """
    organization_id: NotRequired[str]
    """
    The organization to work in.
    """


class ReportListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class RuleListParams(TypedDict):
    q: NotRequired[str]
    """
    Only those that contain this text, whatever its case.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ScanScheduleCreation(TypedDict):
    name: NotRequired[str]
    """
    The display name. One line, without control or direction characters; blanks around it are removed.
    """
    source: str
    """
    The type of the detection source.
    """
    data_sources: NotRequired[list[str] | None]
    """
    The ids of the data sources to scan; null for all that the source supports.
    """
    cron: str
    """
    Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
    """
    timezone: NotRequired[str]
    """
    The IANA time zone of `cron`.
    """
    enabled: NotRequired[bool]
    """
    Whether it runs when it is due.
    """


class ScanScheduleListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ScanScheduleUpdate(TypedDict):
    name: NotRequired[str]
    """
    The display name. One line, without control or direction characters; blanks around it are removed.
    """
    source: NotRequired[str]
    """
    The type of the detection source.
    """
    data_sources: NotRequired[list[str] | None]
    """
    The ids of the data sources to scan; null for all that the source supports.
    """
    cron: NotRequired[str]
    """
    Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
    """
    timezone: NotRequired[str]
    """
    The IANA time zone of `cron`.
    """
    enabled: NotRequired[bool]
    """
    Whether it runs when it is due.
    """


class ScanStartParams(TypedDict):
    data_source: NotRequired[str]
    """
    Scan only this data source (id). An extension.
    """


class ScheduledReportListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class SessionListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class SignInCode(TypedDict):
    code: str
    """
    The six digits of the authenticator.
    """
    trust_device: NotRequired[bool]
    """
    True: this browser needs no code for 30 days. By default false.
    """


class SignInRecoveryCode(TypedDict):
    code: str
    """
    One of the recovery codes. Each works once.
    """
    trust_device: NotRequired[bool]
    """
    True: this browser needs no code for 30 days. By default false.
    """


class SignInRequest(TypedDict):
    email: str
    """
    E-mail address.
    """
    password: str
    """
    The password.
    """
    remember_me: NotRequired[bool]
    """
    False: the session ends with the browser, and after a day. By default true.
    """


class SingleSignOnRequest(TypedDict):
    redirect: NotRequired[str]
    """
    The path of this server to go to afterwards; by default `/`.
    """


class TagListParams(TypedDict):
    q: NotRequired[str]
    """
    Only those that contain this text, whatever its case.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class TokenListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class TwoFactorCode(TypedDict):
    code: str
    """
    The six digits that the authenticator shows.
    """


class UploadConfig(TypedDict):
    """
    The configuration of an `upload`, which is empty.
    """


class WebsiteConfigCreation(TypedDict):
    url: str
    """
    http or https URL, without credentials.
    """


class ApiTokenCreation(TypedDict):
    name: str
    """
    What the token is for. One line, without control or direction characters; blanks around it are removed.
    """
    scopes: NotRequired[
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
    ]
    """
    The scopes to which the token is limited; null for everything that its user may do.
    """
    expires_at: NotRequired[str | datetime | None]
    """
    When the token expires, in the future; null for a token that does not expire. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    password: NotRequired[str]
    """
    Your password: needed when you signed in more than 15 minutes ago.
    """


class DataSourceConfigUpdate(TypedDict):
    """
    The changed fields, as the kind has them; others stay as they are.
    """

    url: NotRequired[str]
    """
    New URL of a git repository or website.
    """
    branch: NotRequired[str | None]
    """
    The branch to scan; null for the default branch of the repository.
    """
    credential: NotRequired[GitCredential | None]
    """
    The new credential; null removes the stored one.
    """
    address: NotRequired[str]
    """
    Host name or IP address, without range or port.
    """
    reference: NotRequired[str]
    """
    Image reference: `[registry/]name[:tag][@digest]`.
    """


class DataSourceCreation(TypedDict):
    """
    The new data source, by `kind`.
    """

    kind: Literal["git_repository", "website", "host", "container_image", "upload"] | str
    name: NotRequired[str]
    """
    The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed.
    """
    config: NotRequired[
        GitRepositoryConfigCreation
        | WebsiteConfigCreation
        | HostConfigCreation
        | ContainerImageConfigCreation
        | UploadConfig
    ]


class DataSourceUpdate(TypedDict):
    name: NotRequired[str]
    """
    The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed.
    """
    config: NotRequired[DataSourceConfigUpdate]


class FindingFacetsParams(TypedDict):
    severity: NotRequired[
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
    ]
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: NotRequired[list[str]]
    """
    Any of these detection source types.
    """
    status: NotRequired[
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
    ]
    """
    Any of these statuses.
    """
    data_source: NotRequired[list[str]]
    """
    In any of these data sources (ids).
    """
    from_: NotRequired[str | datetime]
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an e-mail address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    identifier: NotRequired[list[str]]
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: NotRequired[list[str]]
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: NotRequired[list[str]]
    """
    In any of these packages (names).
    """
    reopened: NotRequired[bool]
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: NotRequired[str | datetime]
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, path, rule or identifiers.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    field: list[Literal["severity", "status", "source", "data_source", "rule", "tag", "assignee", "identifier"] | str]
    """
    The fields to count.
    """
    value_q: NotRequired[str]
    """
    Only values that contain this text, or whose name does. (`q` filters findings, as in the list.)
    """


FindingFilter = TypedDict(
    "FindingFilter",
    {
        "severity": NotRequired[
            list[
                Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"]
                | str
            ]
        ],
        "source": NotRequired[list[str]],
        "status": NotRequired[
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
        ],
        "data_source": NotRequired[list[str]],
        "from": NotRequired[str | datetime],
        "to": NotRequired[str | datetime],
        "tag": NotRequired[list[str]],
        "assignee": NotRequired[list[str]],
        "rule": NotRequired[list[str]],
        "identifier": NotRequired[list[str]],
        "path": NotRequired[list[str]],
        "package": NotRequired[list[str]],
        "reopened": NotRequired[bool],
        "accepted_until_to": NotRequired[str | datetime],
        "q": NotRequired[str],
        "updated_from": NotRequired[str | datetime],
        "updated_to": NotRequired[str | datetime],
    },
)


class FindingFollowParams(TypedDict):
    severity: NotRequired[
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
    ]
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: NotRequired[list[str]]
    """
    Any of these detection source types.
    """
    status: NotRequired[
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
    ]
    """
    Any of these statuses.
    """
    data_source: NotRequired[list[str]]
    """
    In any of these data sources (ids).
    """
    from_: NotRequired[str | datetime]
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an e-mail address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    identifier: NotRequired[list[str]]
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: NotRequired[list[str]]
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: NotRequired[list[str]]
    """
    In any of these packages (names).
    """
    reopened: NotRequired[bool]
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: NotRequired[str | datetime]
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, path, rule or identifiers.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """


class FindingGroupListParams(TypedDict):
    severity: NotRequired[
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
    ]
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: NotRequired[list[str]]
    """
    Any of these detection source types.
    """
    status: NotRequired[
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
    ]
    """
    Any of these statuses.
    """
    data_source: NotRequired[list[str]]
    """
    In any of these data sources (ids).
    """
    from_: NotRequired[str | datetime]
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an e-mail address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    identifier: NotRequired[list[str]]
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: NotRequired[list[str]]
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: NotRequired[list[str]]
    """
    In any of these packages (names).
    """
    reopened: NotRequired[bool]
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: NotRequired[str | datetime]
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, path, rule or identifiers.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    by: Literal["rule", "data_source", "package"] | str
    """
    What the findings of a group have in common.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingListParams(TypedDict):
    severity: NotRequired[
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
    ]
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: NotRequired[list[str]]
    """
    Any of these detection source types.
    """
    status: NotRequired[
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
    ]
    """
    Any of these statuses.
    """
    data_source: NotRequired[list[str]]
    """
    In any of these data sources (ids).
    """
    from_: NotRequired[str | datetime]
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an e-mail address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    identifier: NotRequired[list[str]]
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: NotRequired[list[str]]
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: NotRequired[list[str]]
    """
    In any of these packages (names).
    """
    reopened: NotRequired[bool]
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: NotRequired[str | datetime]
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, path, rule or identifiers.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    sort: NotRequired[Literal["-first_seen_at", "first_seen_at", "-severity", "updated_at", "-updated_at"] | str]
    """
    The order; `-` means descending. The default is `-first_seen_at`. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state. With `-updated_at`, it moves to the front, which you have already read, and with `-severity`, a finding whose severity changes can be skipped or returned twice: use `updated_at` to miss no change.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingSummaryParams(TypedDict):
    severity: NotRequired[
        list[
            Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"] | str
        ]
    ]
    """
    Any of these severities. A leading `-` excludes one, here and in all lists.
    """
    source: NotRequired[list[str]]
    """
    Any of these detection source types.
    """
    status: NotRequired[
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
    ]
    """
    Any of these statuses.
    """
    data_source: NotRequired[list[str]]
    """
    In any of these data sources (ids).
    """
    from_: NotRequired[str | datetime]
    """
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an e-mail address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    identifier: NotRequired[list[str]]
    """
    With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.
    """
    path: NotRequired[list[str]]
    """
    At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.
    """
    package: NotRequired[list[str]]
    """
    In any of these packages (names).
    """
    reopened: NotRequired[bool]
    """
    Whether it came back after it was resolved.
    """
    accepted_until_to: NotRequired[str | datetime]
    """
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, path, rule or identifiers.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and cut to whole seconds.
    """
    days: NotRequired[int]
    """
    Length of the daily series.
    """


class InvitationCreation(TypedDict):
    email: str
    """
    The address of the person to invite.
    """
    role: NotRequired[Literal["viewer", "analyst", "admin", "owner"] | str]
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """


class MemberUpdate(TypedDict):
    role: Literal["viewer", "analyst", "admin", "owner"] | str
    """
    From the lowest to the highest: each role may do everything that the ones before it may.
    """


class PasskeyAssertion(TypedDict):
    """
    What `navigator.credentials.get()` returned: `AuthenticationResponseJSON` of WebAuthn.
    """

    id: str
    rawId: str
    type: str
    response: PasskeyAssertionResponse


class PasskeyAttestation(TypedDict):
    """
    What `navigator.credentials.create()` returned: `RegistrationResponseJSON` of WebAuthn.
    """

    id: str
    rawId: str
    type: str
    response: PasskeyAttestationResponse


class PasskeyCreation(TypedDict):
    name: str
    """
    What the passkey is called, for example the device. One line, without control or direction characters; blanks around it are removed.
    """
    credential: PasskeyAttestation


class PasskeySignIn(TypedDict):
    credential: PasskeyAssertion


class ReportExportParams(TypedDict):
    format: Literal["pdf", "docx", "csv", "json", "sarif", "ocsf"] | str
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `json`, `sarif`, `ocsf`.
    """


ReportFilters = TypedDict(
    "ReportFilters",
    {
        "severity": NotRequired[
            list[
                Literal["critical", "high", "medium", "low", "info", "-critical", "-high", "-medium", "-low", "-info"]
                | str
            ]
            | str
        ],
        "source": NotRequired[list[str] | str],
        "status": NotRequired[
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
        ],
        "data_source": NotRequired[list[str] | str],
        "tag": NotRequired[list[str] | str],
        "assignee": NotRequired[list[str] | str],
        "rule": NotRequired[list[str] | str],
        "identifier": NotRequired[list[str] | str],
        "path": NotRequired[list[str] | str],
        "package": NotRequired[list[str] | str],
        "reopened": NotRequired[bool],
        "accepted_until_to": NotRequired[str | datetime],
        "from": NotRequired[str | datetime],
        "to": NotRequired[str | datetime],
        "q": NotRequired[str],
        "updated_from": NotRequired[str | datetime],
        "updated_to": NotRequired[str | datetime],
    },
)


class ScanListParams(TypedDict):
    source: NotRequired[list[str]]
    """
    By any of these detection sources.
    """
    status: NotRequired[list[Literal["queued", "running", "completed", "partial", "failed", "cancelled"] | str]]
    """
    In any of these statuses.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ScheduledReportCreation(TypedDict):
    title: NotRequired[str]
    """
    The title on the cover. One line, without control or direction characters; blanks around it are removed.
    """
    filters: NotRequired[ReportFilters]
    format: NotRequired[Literal["pdf", "docx", "csv", "json", "sarif", "ocsf"] | str]
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `json`, `sarif`, `ocsf`.
    """
    recipients: list[str]
    """
    Email addresses of members or other people. Each gets a separate email.
    """
    cron: str
    """
    Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
    """
    timezone: NotRequired[str]
    """
    The IANA time zone of `cron`.
    """
    enabled: NotRequired[bool]
    """
    Whether it runs when it is due.
    """


class ScheduledReportUpdate(TypedDict):
    title: NotRequired[str]
    """
    The title on the cover. One line, without control or direction characters; blanks around it are removed.
    """
    filters: NotRequired[ReportFilters]
    format: NotRequired[Literal["pdf", "docx", "csv", "json", "sarif", "ocsf"] | str]
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `json`, `sarif`, `ocsf`.
    """
    recipients: NotRequired[list[str]]
    """
    Email addresses of members or other people. Each gets a separate email.
    """
    cron: NotRequired[str]
    """
    Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
    """
    timezone: NotRequired[str]
    """
    The IANA time zone of `cron`.
    """
    enabled: NotRequired[bool]
    """
    Whether it runs when it is due.
    """


class FindingBulkUpdate(TypedDict):
    """
    The findings, by `ids` or by `filter`, and the fields to set.
    """

    ids: NotRequired[list[str]]
    """
    Up to 1,000 finding ids.
    """
    status: NotRequired[Literal["new", "triaged", "in_progress", "resolved", "false_positive", "accepted_risk"] | str]
    tags: NotRequired[list[str]]
    """
    Replaces the tags. Duplicates are removed, ignoring case.
    """
    assignee: NotRequired[str | None]
    """
    Id or e-mail address of a member; null for nobody.
    """
    comment: NotRequired[str]
    """
    Markdown, 1-10,000 characters.
    """
    accepted_until: NotRequired[str | datetime | None]
    """
    With status `accepted_risk`: from this time the finding is new again; null for no end.
    """
    filter: NotRequired[FindingFilter]


class ReportCreation(TypedDict):
    title: NotRequired[str]
    """
    The title on the cover. One line, without control or direction characters; blanks around it are removed.
    """
    filters: NotRequired[ReportFilters]
