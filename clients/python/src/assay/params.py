# Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired


class AcceptedRiskPolicyInput(TypedDict):
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


class AccountJoin(TypedDict):
    code: str
    """
    The code from a session of the other account.
    """
    password: NotRequired[str]
    """
    The password of this account: needed when you signed in more than 15 minutes ago.
    """


class BulkOperationListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ContainerImageConfigCreation(TypedDict):
    reference: str
    """
    Image reference: `[registry/]name[:tag][@digest]`.
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


class DaysByCriticalityInput(TypedDict):
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


class DaysToFixInput(TypedDict):
    """
    The days to fix a finding, by its severity and the criticality of its data source.
    """

    critical: DaysByCriticalityInput
    high: DaysByCriticalityInput
    medium: DaysByCriticalityInput
    low: DaysByCriticalityInput
    info: DaysByCriticalityInput


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


class EmailConfirmation(TypedDict):
    token: str
    """
    The `token` of the link in the mail.
    """
    new_password: NotRequired[str]
    """
    Needed for an account whose address was never verified: 8 to 128 characters.
    """


class FailedSignInListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class FindingCommentCreation(TypedDict):
    comment: str
    """
    Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
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
    Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
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
    Id or email address of a member; null for nobody.
    """
    comment: NotRequired[str]
    """
    Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
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
            "detect-secrets",
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
            "dockle",
            "brakeman",
            "mobsf",
            "gitlab",
            "github",
            "sonarqube",
            "checkmarx",
            "veracode",
            "snyk",
            "nuclei",
            "nmap",
            "zap",
            "burp",
            "acunetix",
            "openvas",
            "nessus",
            "qualys",
            "nexpose",
            "nikto",
            "testssl",
            "ocsf",
            "asff",
            "inspector",
            "prowler",
            "scoutsuite",
            "defender",
            "wiz",
            "generic",
            "spdx",
        ]
        | str
    ]
    """
    The format of the file; detected when not given.
    """
    tool: NotRequired[str]
    """
    The tool that wrote the file, for one that does not say so or says another: its results belong to the detection source of this name. Refused for a file with results of several tools.
    """
    close_missing: NotRequired[bool]
    """
    Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`.
    """


class InvitationAcceptance(TypedDict):
    token: str
    """
    The `token` of the link in the mail.
    """
    name: NotRequired[str]
    """
    The name for the new account. One line, without control or direction characters; blanks around it are removed.
    """
    password: NotRequired[str]
    """
    The password for a new account. Without it, the account that the browser is signed in to accepts.
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


class MemberSessionListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class MemberTokenListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class OrganizationUpdate(TypedDict):
    name: NotRequired[str]
    """
    The name of the organization. One line, without control or direction characters; blanks around it are removed.
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


class PasskeyDeleteParams(TypedDict):
    revoke_tokens: NotRequired[bool]
    """
    Whether your API tokens of all organizations are revoked too; by default they stay.
    """
    remove_passkeys: NotRequired[bool]
    """
    Whether all your passkeys are removed too; by default they stay.
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
    revoke_tokens: NotRequired[bool]
    """
    Whether your API tokens of all organizations are revoked too; by default they stay.
    """
    remove_passkeys: NotRequired[bool]
    """
    Whether all your passkeys are removed too; by default they stay.
    """


class PasswordConfirmation(TypedDict):
    password: str
    """
    Your password.
    """
    code: NotRequired[str]
    """
    A code of your authenticator, or a recovery code: needed while a second factor is on.
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
    revoke_tokens: NotRequired[bool]
    """
    Whether your API tokens of all organizations are revoked too; by default they stay.
    """
    remove_passkeys: NotRequired[bool]
    """
    Whether all your passkeys are removed too; by default they stay.
    """


class PasswordResetRequest(TypedDict):
    email: str
    """
    Email address.
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


class RecentPassword(TypedDict):
    password: NotRequired[str]
    """
    Your password: needed when you signed in more than 15 minutes ago.
    """


class ReportDeliveryListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
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


class SignInPolicyInput(TypedDict):
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
    Email address.
    """
    password: str
    """
    The password.
    """
    remember_me: NotRequired[bool]
    """
    False: the session ends with the browser, and after a day. By default true.
    """
    user_id: NotRequired[str]
    """
    The account, where several of the address have this password.
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


class TimetablePreviewRequest(TypedDict):
    cron: str
    """
    Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.
    """
    timezone: NotRequired[str]
    """
    The IANA time zone of `cron`.
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


class TwoFactorRemoval(TypedDict):
    password: str
    """
    Your password.
    """
    code: NotRequired[str]
    """
    A code of your authenticator, or a recovery code: needed while a second factor is on.
    """
    revoke_tokens: NotRequired[bool]
    """
    Whether your API tokens of all organizations are revoked too; by default they stay.
    """
    remove_passkeys: NotRequired[bool]
    """
    Whether all your passkeys are removed too; by default they stay.
    """


class UploadConfig(TypedDict):
    """
    The configuration of an `upload`, which is empty.
    """


ViewFilterInput = TypedDict(
    "ViewFilterInput",
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
        "data_source_tag": NotRequired[list[str]],
        "owner": NotRequired[list[str]],
        "criticality": NotRequired[
            list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
        ],
        "tag": NotRequired[list[str]],
        "assignee": NotRequired[list[str]],
        "rule": NotRequired[list[str]],
        "rule_tag": NotRequired[list[str]],
        "identifier": NotRequired[list[str]],
        "path": NotRequired[list[str]],
        "package": NotRequired[list[str]],
        "reopened": NotRequired[bool],
        "accepted_until_to": NotRequired[str | datetime],
        "priority_min": NotRequired[int],
        "kev": NotRequired[bool],
        "epss_min": NotRequired[float],
        "context": NotRequired[list[Literal["test", "none", "-test", "-none"] | str]],
        "unique": NotRequired[bool],
        "overdue": NotRequired[bool],
        "due_to": NotRequired[str | datetime],
        "q": NotRequired[str],
        "updated_from": NotRequired[str | datetime],
        "updated_to": NotRequired[str | datetime],
    },
)


class ViewListParams(TypedDict):
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ViewUpdate(TypedDict):
    name: NotRequired[str]
    """
    Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed.
    """
    shared: NotRequired[bool]
    """
    Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
    """
    filter: NotRequired[ViewFilterInput]
    sort: NotRequired[
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
    ]
    """
    The order of the list; null for its default. `relevance` needs a filter with `q`.
    """
    columns: NotRequired[list[str] | None]
    """
    The columns to show, as members of a finding, in order; null for the default ones.
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
    When the token expires, in the future; null for a token that does not expire. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    password: NotRequired[str]
    """
    Your password: needed when you signed in more than 15 minutes ago.
    """


class AuditEventListParams(TypedDict):
    actor: NotRequired[str]
    """
    By this person (an id, or `me`) with all their tokens, by this API token (an id), or by `system`.
    """
    action: NotRequired[
        list[
            Literal[
                "organization.created",
                "organization.updated",
                "organization.limits_changed",
                "policy.updated",
                "member.added",
                "member.joined",
                "member.role_changed",
                "member.removed",
                "member.sessions_ended",
                "invitation.created",
                "invitation.resent",
                "invitation.revoked",
                "invitation.accepted",
                "token.created",
                "token.revoked",
                "account.password_reset",
                "account.signed_in",
                "account.sign_in_failed",
                "account.signed_out",
                "account.session_ended",
                "account.password_recovered",
                "account.claimed",
                "account.joined",
                "account.email_changed",
                "account.password_changed",
                "account.two_factor_enabled",
                "account.two_factor_removed",
                "account.two_factor_replaced",
                "account.recovery_code_used",
                "account.recovery_codes_renewed",
                "account.disabled",
                "account.enabled",
                "account.sessions_ended",
                "account.two_factor_reset",
                "account.passkey_added",
                "account.passkey_removed",
                "account.renamed",
                "data_source.created",
                "data_source.updated",
                "data_source.deleted",
                "scan.cancelled",
                "scan_schedule.created",
                "scan_schedule.updated",
                "scan_schedule.deleted",
                "report.created",
                "report.exported",
                "report.deleted",
                "scheduled_report.created",
                "scheduled_report.updated",
                "scheduled_report.deleted",
                "findings.exported",
                "findings.updated",
                "findings.update_undone",
                "audit_log.exported",
                "view.shared",
                "view.updated",
                "view.unshared",
                "view.deleted",
            ]
            | str
        ]
    ]
    """
    Any of these actions:

    - `organization.created`: An organization was created.
    - `organization.updated`: The organization was renamed.
    - `organization.limits_changed`: The operator changed the plan or the rate limit.
    - `policy.updated`: The days to fix findings, the conditions for accepting risks or the sign-in policy were changed.
    - `member.added`: The operator added a person to the organization.
    - `member.joined`: A person became a member by their first single sign-on.
    - `member.role_changed`: A member got another role.
    - `member.removed`: A member was removed.
    - `member.sessions_ended`: The sessions of a member were ended for the organization.
    - `invitation.created`: A person was invited.
    - `invitation.resent`: An invitation got a new link.
    - `invitation.revoked`: An invitation was revoked.
    - `invitation.accepted`: An invited person became a member.
    - `token.created`: An API token was created.
    - `token.revoked`: An API token was revoked.
    - `account.password_reset`: A person got a new password from the operator.
    - `account.signed_in`: A person signed in.
    - `account.sign_in_failed`: Somebody failed to sign in as a person, or to confirm an action as them: by hour and address, with the number of attempts.
    - `account.signed_out`: A person signed out.
    - `account.session_ended`: A person ended one of their sessions.
    - `account.password_recovered`: A person set a new password by a link in a mail.
    - `account.claimed`: A person showed that the address of an account is theirs; everything that led into it before ended.
    - `account.joined`: A person joined an account of their address into their own.
    - `account.email_changed`: A person confirmed a new email address.
    - `account.password_changed`: A person changed their password.
    - `account.two_factor_enabled`: A person turned the second factor on.
    - `account.two_factor_removed`: A person removed the second factor.
    - `account.two_factor_replaced`: A person replaced the second factor by another one.
    - `account.recovery_code_used`: A person used a recovery code.
    - `account.recovery_codes_renewed`: A person created new recovery codes.
    - `account.disabled`: The operator disabled a person.
    - `account.enabled`: The operator enabled a person again.
    - `account.sessions_ended`: The operator ended all sessions of a person.
    - `account.two_factor_reset`: The operator removed the second factor of a person.
    - `account.passkey_added`: A person added a passkey.
    - `account.passkey_removed`: A person removed a passkey.
    - `account.renamed`: A person changed their name.
    - `data_source.created`: A data source was added.
    - `data_source.updated`: A data source was changed.
    - `data_source.deleted`: A data source was deleted.
    - `scan.cancelled`: A scan was cancelled.
    - `scan_schedule.created`: A scan schedule was created.
    - `scan_schedule.updated`: A scan schedule was changed.
    - `scan_schedule.deleted`: A scan schedule was deleted.
    - `report.created`: A report was generated.
    - `report.exported`: A report was exported as a file.
    - `report.deleted`: A report was deleted.
    - `scheduled_report.created`: A scheduled report was created.
    - `scheduled_report.updated`: A scheduled report was changed.
    - `scheduled_report.deleted`: A scheduled report was deleted.
    - `findings.exported`: The list of findings was exported.
    - `findings.updated`: Many findings were updated at once.
    - `findings.update_undone`: An update of many findings was undone.
    - `audit_log.exported`: The audit log was exported.
    - `view.shared`: A view of the list of findings was shared with the organization.
    - `view.updated`: A shared view was changed.
    - `view.unshared`: A shared view became private.
    - `view.deleted`: A shared view was deleted.
    """
    target: NotRequired[str]
    """
    The id of what was changed, of any kind.
    """
    from_: NotRequired[str | datetime]
    """
    At or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    At or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    format: NotRequired[Literal["json", "csv"] | str]
    """
    Overrides the header `Accept`; `json` by default.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
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
    branches: NotRequired[Literal["all"] | None]
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


class DataSourceListParams(TypedDict):
    q: NotRequired[str]
    """
    Whose name or address contains this, in any case.
    """
    kind: NotRequired[list[Literal["git_repository", "website", "host", "container_image", "upload"] | str]]
    """
    Of any of these kinds.
    """
    status: NotRequired[list[Literal["never_scanned", "ok", "error"] | str]]
    """
    In any of these statuses.
    """
    sort: NotRequired[
        Literal["-created_at", "created_at", "name", "-name", "last_scanned_at", "-last_scanned_at"] | str
    ]
    """
    Those that were never scanned are the oldest by `last_scanned_at`.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class DataSourceUpdate(TypedDict):
    name: NotRequired[str]
    """
    The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed.
    """
    config: NotRequired[DataSourceConfigUpdate]
    tags: NotRequired[list[str]]
    """
    Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case.
    """
    owner: NotRequired[str | None]
    """
    Who is responsible: id or email address of a member; null for nobody.
    """
    criticality: NotRequired[Literal["low", "medium", "high", "critical"] | str]
    """
    How much depends on it: a `critical` data source makes its findings more urgent. `medium` by default.
    """
    exposure: NotRequired[Literal["internal", "public"] | str]
    """
    Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
    """


class FindingExportParams(TypedDict):
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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    sort: NotRequired[
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
    ]
    """
    Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.
    """
    format: Literal["csv", "json"] | str
    """
    The format of the file.
    """
    bom: NotRequired[bool]
    """
    With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly.
    """


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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    field: list[
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
    ]
    """
    The fields to count.
    """
    value_q: NotRequired[str]
    """
    Returns only values that contain this text, or whose name does. (`q` filters findings, as in the list.)
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
        "data_source_tag": NotRequired[list[str]],
        "owner": NotRequired[list[str]],
        "criticality": NotRequired[
            list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
        ],
        "tag": NotRequired[list[str]],
        "assignee": NotRequired[list[str]],
        "rule": NotRequired[list[str]],
        "rule_tag": NotRequired[list[str]],
        "identifier": NotRequired[list[str]],
        "path": NotRequired[list[str]],
        "package": NotRequired[list[str]],
        "reopened": NotRequired[bool],
        "accepted_until_to": NotRequired[str | datetime],
        "priority_min": NotRequired[int],
        "kev": NotRequired[bool],
        "epss_min": NotRequired[float],
        "context": NotRequired[list[Literal["test", "none", "-test", "-none"] | str]],
        "unique": NotRequired[bool],
        "overdue": NotRequired[bool],
        "due_to": NotRequired[str | datetime],
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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    sort: NotRequired[
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
    ]
    """
    The order; `-` means descending. The default is `-first_seen_at`. With `due_at`, findings without a due date come last. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state. With `-updated_at`, it moves to the front, which you have already read, and with `-severity`, `-priority` and `due_at`, a finding for which these change can be skipped or returned twice: use `updated_at` to miss no change. A finding loses its due date when it is closed, and gets one when it is reopened. `relevance` needs `q` and ranks its newest matches, at most 500: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.
    """
    fields: NotRequired[
        list[
            Literal[
                "rule",
                "location",
                "identifiers",
                "cvss_score",
                "evidence",
                "description",
                "remediation",
                "references",
                "id",
                "title",
                "severity",
                "status",
                "source",
                "data_source",
                "tags",
                "assignee",
                "fingerprint",
                "occurrences",
                "comment_count",
                "resolution",
                "accepted_until",
                "reopened_count",
                "first_seen_at",
                "last_seen_at",
                "updated_at",
                "closed_at",
                "context",
                "priority",
                "priority_reasons",
                "epss",
                "epss_percentile",
                "kev",
                "due_at",
            ]
            | str
        ]
    ]
    """
    Return only these fields of each finding, and its `id`. Leaving out `description`, `evidence`, `remediation` and what else a scanner reported makes large pages faster. An extension.
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
    First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    to: NotRequired[str | datetime]
    """
    First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    data_source_tag: NotRequired[list[str]]
    """
    In data sources with any of these tags.
    """
    owner: NotRequired[list[str]]
    """
    In data sources that any of these people own: an id, an email address, `me`, or `none`.
    """
    criticality: NotRequired[
        list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str]
    ]
    """
    In data sources of any of these criticalities.
    """
    tag: NotRequired[list[str]]
    """
    With any of these tags.
    """
    assignee: NotRequired[list[str]]
    """
    Assigned to any of these: an id, an email address, `me`, or `none`.
    """
    rule: NotRequired[list[str]]
    """
    Of any of these rules (ids).
    """
    rule_tag: NotRequired[list[str]]
    """
    Of rules with any of these tags of their scanner, such as `security`. Case does not matter.
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
    Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    priority_min: NotRequired[int]
    """
    Of this priority or a higher one.
    """
    kev: NotRequired[bool]
    """
    Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).
    """
    epss_min: NotRequired[float]
    """
    With an EPSS score of at least this, 0 to 1.
    """
    context: NotRequired[list[Literal["test", "none", "-test", "-none"] | str]]
    """
    `test`: only in tests and examples; `-test` or `none`: elsewhere.
    """
    unique: NotRequired[bool]
    """
    With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.
    """
    overdue: NotRequired[bool]
    """
    Whether it should be fixed by now: its due date has passed.
    """
    due_to: NotRequired[str | datetime]
    """
    Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    q: NotRequired[str]
    """
    Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.
    """
    updated_from: NotRequired[str | datetime]
    """
    Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    updated_to: NotRequired[str | datetime]
    """
    Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    days: NotRequired[int]
    """
    Length of the daily series.
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
    branches: NotRequired[Literal["all"] | None]
    credential: NotRequired[GitCredential | None]


class ImportByNameParams(TypedDict):
    data_source_name: str
    """
    The name of an `upload` data source. One line, without control or direction characters; blanks around it are removed.
    """
    format: NotRequired[
        Literal[
            "sarif",
            "cyclonedx",
            "trivy",
            "grype",
            "gitleaks",
            "trufflehog",
            "detect-secrets",
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
            "dockle",
            "brakeman",
            "mobsf",
            "gitlab",
            "github",
            "sonarqube",
            "checkmarx",
            "veracode",
            "snyk",
            "nuclei",
            "nmap",
            "zap",
            "burp",
            "acunetix",
            "openvas",
            "nessus",
            "qualys",
            "nexpose",
            "nikto",
            "testssl",
            "ocsf",
            "asff",
            "inspector",
            "prowler",
            "scoutsuite",
            "defender",
            "wiz",
            "generic",
            "spdx",
        ]
        | str
    ]
    """
    The format of the file; detected when not given.
    """
    tool: NotRequired[str]
    """
    The tool that wrote the file, for one that does not say so or says another: its results belong to the detection source of this name. Refused for a file with results of several tools.
    """
    close_missing: NotRequired[bool]
    """
    Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`.
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


class PolicyReplacement(TypedDict):
    days_to_fix: DaysToFixInput
    test_grace_days: int
    """
    Days more for findings in test code, which the path shows.
    """
    accepted_risk: AcceptedRiskPolicyInput
    sign_in: NotRequired[SignInPolicyInput]
    lock_out: NotRequired[bool]
    """
    Whether to accept that the request itself would be refused by the new sign-in policy.
    """


class PreferencesInput(TypedDict):
    theme: NotRequired[Literal["system", "light", "dark"] | str]
    density: NotRequired[Literal["comfortable", "compact"] | str]
    columns: NotRequired[list[str] | None]
    """
    The columns of the list of findings, as members of a finding, in order; null for the default ones.
    """
    single_keys: NotRequired[bool]
    """
    Whether single keys act, such as `j`, `k` and `1` to `5`.
    """
    custom: NotRequired[dict[str, Any]]
    """
    Whatever else a client keeps: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`.
    """


class ReportDocumentControlInput(TypedDict):
    """
    What the document says about itself, and how it looks. Members that are left out have their defaults.
    """

    version: NotRequired[str]
    """
    The version of the document, `1.0` by default. One line, without control or direction characters; blanks around it are removed.
    """
    state: NotRequired[Literal["draft", "final"] | str]
    """
    `final` by default.
    """
    author: NotRequired[str | None]
    """
    Who wrote the document; by default, who created the report. One line, without control or direction characters; blanks around it are removed.
    """
    reviewer: NotRequired[str | None]
    """
    Who reviewed it. One line, without control or direction characters; blanks around it are removed.
    """
    distribution: NotRequired[list[str]]
    """
    The people and groups who receive the document.
    """
    classification: NotRequired[str | None]
    """
    Who may read it: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words. One line, without control or direction characters; blanks around it are removed.
    """
    language: NotRequired[Literal["en", "de"] | str]
    """
    `en` by default.
    """
    paper: NotRequired[Literal["a4", "letter"] | str]
    """
    `a4` by default.
    """
    accent_color: NotRequired[str | None]
    """
    The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white.
    """
    footer: NotRequired[str | None]
    """
    A line at the foot of each page. One line, without control or direction characters; blanks around it are removed.
    """
    foreword: NotRequired[str | None]
    """
    A section before the summary. Markdown.
    """
    conclusion: NotRequired[str | None]
    """
    A section after the findings. Markdown.
    """


class ReportExportParams(TypedDict):
    format: Literal["pdf", "docx", "csv", "xlsx", "json", "sarif", "sarif-github", "ocsf"] | str
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
    """
    data_source: NotRequired[str]
    """
    With `format=sarif-github`: the id of the only data source whose findings are exported, as one file.
    """
    bom: NotRequired[bool]
    """
    With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly.
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
        "data_source_tag": NotRequired[list[str] | str],
        "owner": NotRequired[list[str] | str],
        "criticality": NotRequired[
            list[Literal["low", "medium", "high", "critical", "-low", "-medium", "-high", "-critical"] | str] | str
        ],
        "tag": NotRequired[list[str] | str],
        "assignee": NotRequired[list[str] | str],
        "rule": NotRequired[list[str] | str],
        "rule_tag": NotRequired[list[str] | str],
        "identifier": NotRequired[list[str] | str],
        "path": NotRequired[list[str] | str],
        "package": NotRequired[list[str] | str],
        "reopened": NotRequired[bool],
        "accepted_until_to": NotRequired[str | datetime],
        "priority_min": NotRequired[int],
        "kev": NotRequired[bool],
        "epss_min": NotRequired[float],
        "context": NotRequired[list[Literal["test", "none", "-test", "-none"] | str] | str],
        "unique": NotRequired[bool],
        "overdue": NotRequired[bool],
        "due_to": NotRequired[str | datetime],
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
    data_source: NotRequired[list[str]]
    """
    Of any of these data sources (ids).
    """
    created_from: NotRequired[str | datetime]
    """
    Created at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    created_to: NotRequired[str | datetime]
    """
    Created at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    limit: NotRequired[int]
    """
    The maximum number of items on a page.
    """
    next_cursor: NotRequired[str]
    """
    The `next_cursor` of the page before, with the same filters and sort.
    """


class ScanTargetListParams(TypedDict):
    status: NotRequired[list[Literal["queued", "running", "completed", "failed", "cancelled"] | str]]
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
    format: NotRequired[Literal["pdf", "docx", "csv", "xlsx", "json", "sarif", "sarif-github", "ocsf"] | str]
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
    """
    template: NotRequired[Literal["executive", "audit", "technical"] | str]
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """
    document: NotRequired[ReportDocumentControlInput]
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
    format: NotRequired[Literal["pdf", "docx", "csv", "xlsx", "json", "sarif", "sarif-github", "ocsf"] | str]
    """
    Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
    """
    template: NotRequired[Literal["executive", "audit", "technical"] | str]
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """
    document: NotRequired[ReportDocumentControlInput]
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


class ViewCreation(TypedDict):
    name: str
    """
    Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed.
    """
    shared: NotRequired[bool]
    """
    Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`.
    """
    filter: ViewFilterInput
    sort: NotRequired[
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
    ]
    """
    The order of the list; null for its default. `relevance` needs a filter with `q`.
    """
    columns: NotRequired[list[str] | None]
    """
    The columns to show, as members of a finding, in order; null for the default ones.
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
    tags: NotRequired[list[str]]
    """
    Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case.
    """
    owner: NotRequired[str | None]
    """
    Who is responsible: id or email address of a member; null for nobody.
    """
    criticality: NotRequired[Literal["low", "medium", "high", "critical"] | str]
    """
    How much depends on it: a `critical` data source makes its findings more urgent. `medium` by default.
    """
    exposure: NotRequired[Literal["internal", "public"] | str]
    """
    Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
    """


class FindingBulkUpdate(TypedDict):
    """
    The findings, by `ids` or by `filter`, and what to set on them.
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
    Id or email address of a member; null for nobody.
    """
    comment: NotRequired[str]
    """
    Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep.
    """
    accepted_until: NotRequired[str | datetime | None]
    """
    With status `accepted_risk`: from this time the finding is new again; null for no end.
    """
    add_tags: NotRequired[list[str]]
    """
    Added to the tags of each finding, which keeps 50 at most. Not together with `tags`.
    """
    remove_tags: NotRequired[list[str]]
    """
    Removed from the tags of each finding, case aside. Not together with `tags`.
    """
    dry_run: NotRequired[bool]
    """
    With true, nothing is written: the response says what would happen.
    """
    as_of: NotRequired[str | datetime]
    """
    Changes only findings that were not created or changed after this time, to the second. Give the `as_of` of a dry run, so that nothing is changed that its reader has not seen. A finding must also match the filters when it is changed. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
    """
    expected_count: NotRequired[int]
    """
    The `matched` of a dry run. When another number of findings matches now, nothing is changed: 409.
    """
    filter: NotRequired[FindingFilter]


class ReportCreation(TypedDict):
    title: NotRequired[str]
    """
    The title on the cover. One line, without control or direction characters; blanks around it are removed.
    """
    filters: NotRequired[ReportFilters]
    template: NotRequired[Literal["executive", "audit", "technical"] | str]
    """
    What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
    """
    document: NotRequired[ReportDocumentControlInput]
    compare_to: NotRequired[str | None]
    """
    An earlier report, which must be ready: figures show their change since then, and the report lists what changed.
    """
