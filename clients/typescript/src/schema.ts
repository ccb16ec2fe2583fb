// Generated from openapi.json by scripts/generate-clients.mjs. Do not edit.
export interface paths {
    "/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List findings
         * Several values of one filter match findings with any of them; several filters must all match. To follow changes, keep the `updated_at` of the last finding that you received and request `sort=updated_at` with that time as `updated_from`: a finding that changes while you read is returned again in its new state, and none is missed.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update many findings
         * Sets the same on many findings, given by `ids` or selected by `filter` (one of the two). If one id is unknown, nothing is updated and the status is 404. Up to 1,000 findings are updated in one transaction; more are updated by a job: 202, with the operation to follow (`Prefer: wait` waits for it). Every update can be undone for a day.
         *
         *     To see first what will happen, send it with `dry_run`; then send it with the `as_of` and, as `expected_count`, the `matched` of the response. With `as_of`, the update changes the findings that match the filters when it comes to them and that nobody and no scan has created or changed after that time, to the second. Without it, the time of the request counts: an update never changes a finding that was changed after the request.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        patch: operations["updateFindings"];
        trace?: never;
    };
    "/findings/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count findings
         * Returns figures for dashboards, with the same filters as the list. Figures by `severity`, `status`, `source` and `data_source` are kept up to date as findings change, so they are returned at once. With other filters the findings are counted, and the daily series shows when the selected findings were first seen and closed. Of `by_rule` and `by_age`: Counts are exact in an organization with at most 1,000,000 findings, and wherever one of the filters alone selects at most 200,000. Above that, counts that are not kept up to date anyway are estimated from a part of the findings: `approximate` is true, and `margin` says by how much they may be off.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["summarizeFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count findings by value
         * Returns how many findings have each value of a field, and how many the filters select. The values of a field are counted under the filters of the list except the one on that field. They agree with the list and with groups. Counts of `severity`, `status`, `source`, `data_source`, `data_source_tag`, `owner` and `criticality` are always exact under filters on these. Counts are exact in an organization with at most 1,000,000 findings, and wherever one of the filters alone selects at most 200,000. Above that, counts that are not kept up to date anyway are estimated from a part of the findings: `approximate` is true, and `margin` says by how much they may be off.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindingFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups of findings
         * The findings of the list by rule, data source or package, the largest group first. Findings without a package are in no group of packages. Groups of data sources are always exact under filters on severity, status, source and data source. Counts are exact in an organization with at most 1,000,000 findings, and wherever one of the filters alone selects at most 200,000. Above that, counts that are not kept up to date anyway are estimated from a part of the findings: `approximate` is true, and `margin` says by how much they may be off. Groups of very few findings may then be missing; where counts are exact, none is. A group whose count changes while you read may be returned twice or skipped.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindingGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one finding
         * Returns the finding with the places in which it occurs.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["getFinding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a finding
         * Sets the fields that the body contains, all or none; `comment` adds a comment. Any status may follow any other.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        patch: operations["updateFinding"];
        trace?: never;
    };
    "/findings/{id}/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments of a finding
         * Returns the comments, oldest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindingComments"];
        put?: never;
        /**
         * Comment on a finding
         * Adds a comment.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        post: operations["createFindingComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/{id}/comment/{comment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a comment
         * Removes the text of a comment that you wrote. Lists and the timeline still show that there was one; `comment_count` of the finding no longer counts it.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        delete: operations["deleteFindingComment"];
        options?: never;
        head?: never;
        /**
         * Edit a comment
         * Replaces the text of a comment that you wrote. The comment then says when it was edited.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        patch: operations["updateFindingComment"];
        trace?: never;
    };
    "/findings/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a finding
         * Returns who or which scan changed what and when, oldest first. The first sighting is the first entry.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindingHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a finding and the comments on it
         * Changes and comments in one order, oldest first, beginning with the first sighting. A comment that came with a change follows it. Deleted comments are there without their text.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listFindingTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules that findings have
         * By id, for choosing one. Of more than 10,000, `q` searches the first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags that findings have
         * In alphabetical order, for choosing one. Of more than 10,000, `q` searches the first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the policy
         * Returns how many days there are to fix findings, the conditions for accepting risks, and those for reaching the organization. An organization that has not decided has the default policy: 15 days for critical, 30 for high, 90 for medium and 180 for low severity in data sources of medium criticality, fewer in more critical ones; any sign-in, from any address.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["getPolicy"];
        /**
         * Replace the policy
         * Sets the whole policy; without `sign_in`, that part stays. The due dates of all findings are computed again in the background, which takes minutes for a million findings and changes neither their `updated_at` nor their version. The conditions for accepting risks apply to later decisions. The sign-in policy holds for all requests, on every node, within a second: sessions that do not meet it are refused in this organization alone. One that would refuse the request itself, by its address or sign-in, is 409 without `lock_out`.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        put: operations["replacePolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulk-operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk operations
         * Returns the updates of many findings, newest first. They are kept for 90 days.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listBulkOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulk-operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk operation
         * Returns its progress and counts.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["getBulkOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bulk-operations/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a bulk operation
         * Restores status, tags, assignee and end of an accepted risk of the findings that the operation changed, for 24 hours after it has ended. Findings that were changed since are skipped and counted; comments stay. Above 1,000 findings a job does it: 202 (`Prefer: wait` waits for it). Undoing once more changes nothing.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `findings:write`.
         */
        post: operations["undoBulkOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List views
         * Returns the shared views of the organization and your private ones, oldest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * Saves filters of the list of findings under a name, with an order and columns: for you alone, or with `shared` for the organization (role `analyst`). Filters that depend on who asks, such as `assignee` `me`, are kept as they are. A person may have 200 private views and an organization 200 shared ones, or as many as the operator allows.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:write`.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a view
         * Deletes a view: a private one by its owner, a shared one by its owner or an admin. Findings stay.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:write`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * Replaces the fields in the body; `filter` as a whole. A private view may be changed by its owner only, a shared one by its owner and by admins. Only its owner can make it private again.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:write`.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/detection-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List detection sources
         * The connected scanners, and whether each can run now.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["listDetectionSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/detection-sources/{type}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a scan
         * Scans every data source of a kind that the detection source handles, or the one that `data_source` names. While a scan that covers the same is queued or running, that one is returned and no second one starts. Follow the scan at its address (`Location`), or wait for its end with `Prefer: wait=SECONDS` (60 at most).
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `scans:write`.
         */
        post: operations["startScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans
         * Newest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scan
         * Its progress, and what it found.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the targets of a scan
         * Returns what the scan did with each of its data sources, in the order in which the data sources were added. `closed_nothing_because` says why no finding was closed there.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["listScanTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scan
         * Ends an unfinished scan. What it has found stays; nothing is closed.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `scans:write`.
         */
        post: operations["cancelScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a scan
         * Server-sent events, each with the scan as its data: `progress` whenever it changed, and `end` last. They end within a second when the token or session is revoked or its role changes, and after 15 minutes; event sources then connect again by themselves. A token may have 20 streams open, a session 5; more are 429.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["streamScanEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-sources/{id}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import results
         * Accepts a scanner's result file as the body, with or without gzip, and merges its results into the findings: the same results again, reordered or moved within their files, create no new finding. Returns a scan with the trigger `import`, to follow or to wait for (`Prefer: wait=SECONDS`, 60 at most). An invalid file is refused with the position of the error, and nothing of it is kept. An upload may take up to an hour as long as it arrives at a kilobyte a second or faster; a slower one ends with 408. The packages of a bill of materials (CycloneDX, SPDX) are matched with the loaded advisories, as the source `dependencies`. Suppressed results become `false_positive` or `accepted_risk`, with the reason as a comment.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `scans:write`.
         */
        post: operations["importResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import results by the name of a data source
         * Imports as `POST /data-sources/{id}/imports` does, into the `upload` data source of this name, which is added on first use: a pipeline needs one call. Adding it requires the role `admin` and the scope `sources:write`; later imports do not. If several uploads have the name, the response is 409 `conflict` with their ids.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `scans:write`.
         */
        post: operations["importResultsByName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reports
         * Returns a page of reports, newest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["listReports"];
        put?: never;
        /**
         * Generate a report
         * Creates a report on the findings that match the filters now. It is `pending` until its snapshot is taken and `ready` afterwards. A snapshot never changes, so all exports of a report agree. With `Prefer: wait=SECONDS` (at most 60), the response waits until the snapshot is taken.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `reports:write`.
         */
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a report
         * Returns the status of a report and its figures.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        /**
         * Delete a report
         * Deletes the report with its snapshot and all its exports. The findings are kept.
         *
         *     Needs the role `analyst` and, for tokens with scopes, the scope `reports:write`.
         */
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a report
         * Returns the report as a file. It is rendered on the first request and kept as long as the report. A request waits for its first bytes for 55 seconds, or as long as `Prefer: wait=SECONDS` says, and is then 409 `export_not_ready`. `pdf` and `docx` show the 2,000 most severe findings in detail; the other formats contain every finding and are streamed. `sarif-github` is SARIF that GitHub code scanning accepts, with the open findings that are in files: one file for a report on one data source, otherwise (or when it takes several files) a zip archive with files for each data source.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["exportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the list of findings
         * Returns all findings that the filters select as a file, streamed, however many there are. CSV has the columns of a report; JSON has the findings with their places and newest comments. Findings that change meanwhile may be there in their old or their new state; a report shows them all as they were at one moment.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `findings:read`.
         */
        get: operations["exportFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scan-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * Returns a page of scan schedules, newest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["listScanSchedules"];
        put?: never;
        /**
         * Create a schedule
         * Scans whenever `cron` is due. Each due time starts one scan, however many workers there are. Times missed while no worker ran are made up for once.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `scans:write`.
         */
        post: operations["createScanSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scan-schedules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a timetable
         * Describes a timetable in words and returns its next five due times, without creating anything. Scheduled reports have the same timetables.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        post: operations["previewScanSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scan-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule
         * Returns a scan schedule.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `scans:read`.
         */
        get: operations["getScanSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * Deletes a scan schedule. The scans that it started are kept.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `scans:write`.
         */
        delete: operations["deleteScanSchedule"];
        options?: never;
        head?: never;
        /**
         * Update a schedule
         * Updates the fields in the body. When `cron` or `timezone` changes, the next due time is computed from now.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `scans:write`.
         */
        patch: operations["updateScanSchedule"];
        trace?: never;
    };
    "/scheduled-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scheduled reports
         * Returns a page of scheduled reports, newest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["listScheduledReports"];
        put?: never;
        /**
         * Create a scheduled report
         * Creates a report whenever `cron` is due and mails it to each recipient: as an attachment up to 10 MiB, otherwise as a link. A report without findings is mailed too. Each due time creates one report, however many workers there are. Times missed while no worker ran are made up for once. A failed mail is retried for about 16 hours; `last_error` describes the failure.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `reports:write`.
         */
        post: operations["createScheduledReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduled-reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scheduled report
         * Returns a scheduled report.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["getScheduledReport"];
        put?: never;
        post?: never;
        /**
         * Delete a scheduled report
         * Deletes a scheduled report. The reports that it created are kept; mails that are not sent yet are cancelled.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `reports:write`.
         */
        delete: operations["deleteScheduledReport"];
        options?: never;
        head?: never;
        /**
         * Update a scheduled report
         * Updates the fields in the body. When `cron` or `timezone` changes, the next due time is computed from now. Changed recipients apply from the next due time on. Mails of existing reports are still sent, even when the scheduled report is disabled.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `reports:write`.
         */
        patch: operations["updateScheduledReport"];
        trace?: never;
    };
    "/scheduled-reports/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails of a scheduled report
         * Returns the mails of the reports that the scheduled report created: those of the newest report first, each with its recipient, whether it was sent, and why not. The mails of a deleted report are deleted, too.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `reports:read`.
         */
        get: operations["listReportDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data sources
         * Returns the data sources of the organization, newest first or in the order of `sort`. The filters and `sort` are extensions.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `sources:read`.
         */
        get: operations["listDataSources"];
        put?: never;
        /**
         * Add a data source
         * Adds a target to scan. A second one of the same kind and address is `already_exists`, with the id of the first in `details`. Targets inside the network are refused unless the operator allows them, here and again at every connection.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `sources:write`.
         */
        post: operations["createDataSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-sources/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a data source
         * Tries a configuration without saving it, under the same network policy as scans: of a git repository it asks for the branch, with the credential that is given; of a website it requests the page; of a container image it asks the registry whether it is there; of a host it looks up the address. Takes up to half a minute. An organization can test ten configurations at once, and one more every six seconds.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `sources:write`.
         */
        post: operations["testDataSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-sources/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suggested data sources
         * Returns data sources that you can add as they are. For the first organization of an installation, that is the sample repository, which needs no network; for others, and where it is not on this machine, the list is empty.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `sources:read`.
         */
        get: operations["listDataSourceSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a data source
         * Returns a data source.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `sources:read`.
         */
        get: operations["getDataSource"];
        put?: never;
        post?: never;
        /**
         * Delete a data source
         * Removes the data source from lists and schedules, stops its scans, destroys its credential, and resolves its open findings (`data_source_removed`). The rest of its history is kept.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `sources:write`.
         */
        delete: operations["deleteDataSource"];
        options?: never;
        head?: never;
        /**
         * Update a data source
         * Changes the name, what people say about the data source (`tags`, `owner`, `criticality`, `exposure`), and any fields of the `config`. Fields that you leave out stay as they are. `credential` replaces the credential, or removes it when null. A stored credential does not follow the URL to another host.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `sources:write`.
         */
        patch: operations["updateDataSource"];
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current organization
         * Returns the organization that the token belongs to, with its plan and the rate limit of its tokens.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organization
         * Changes the name. The plan and the rate limit are set by the operator.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organization/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * Returns the members of the organization, in the order in which their accounts were created.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * Also revokes their API tokens of this organization and the open invitations that they made. The last owner cannot be removed.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * You cannot change a member above your own role, or raise a member above it. The last owner stays an owner. Takes effect with the next request. Open invitations that the member made and that their new role does not allow are revoked.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/organization/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations
         * Returns all invitations in any state, newest first.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * Mails a link that can be used once within 7 days, and replaces a pending invitation of the same address. You cannot invite with a role above your own. Where no mail server is configured, the response contains the link instead.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again
         * Makes a new link, good for another 7 days, for an invitation that is pending or has expired; the old link stops working. Where no mail server is configured, the response contains the link. Returns 409 for an invitation that was accepted or revoked.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * The link stops working. Returns 409 for an invitation that was accepted or revoked already.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/members/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API tokens of a member
         * Returns the member’s tokens of this organization that were not revoked, newest first.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["listMemberTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/members/{id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API token of a member
         * Takes effect with the next request, on every node. You cannot revoke the token of a member above your own role.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        delete: operations["deleteMemberToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/members/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions of a member
         * Returns the browsers in which the member is signed in and that reach this organization, newest first: a person of several organizations works in each of them with the same session.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["listMemberSessions"];
        put?: never;
        post?: never;
        /**
         * End the sessions of a member
         * Signs the member out of this organization on every node, from the next request on; they can sign in again. Sessions of a person of several organizations still reach the others. You cannot end the sessions of a member above your own role.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:write`.
         */
        delete: operations["endMemberSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * Returns who changed what, newest first: members, invitations, tokens, accounts, data sources, schedules, reports, bulk operations and settings. Events are recorded in the transaction of the change, cannot be changed or deleted, and are kept for as long as the organization. Triage of single findings and what scans find is in the history of each finding instead. With `format=csv`, or `Accept: text/csv`, the response is a file of all events that match, streamed; `limit` and `next_cursor` have no effect on it.
         *
         *     Needs the role `admin` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your profile
         * Returns the person behind the token or session, the current organization, all organizations that the person belongs to, and what the caller may do.
         *
         *     Every token and session may call it.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name or organization
         * With `organization_id`, the session switches to that organization from the next request on.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/profile/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your email address
         * Mails a link to the new address. The address changes when you follow it, within 24 hours and signed in. With your own address, when it is not verified yet, the link verifies it: you choose a new password there. Needs a sign-in of the last 15 minutes, or your `password`.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your preferences
         * Returns how you like the console; they hold in all of your organizations.
         *
         *     Every token and session may call it.
         */
        get: operations["getPreferences"];
        /**
         * Replace your preferences
         * Replaces all preferences; members that the body lacks get their defaults. At most 16 kB of JSON.
         *
         *     Needs the role `viewer` and, for tokens with scopes, the scope `organization:write`.
         */
        put: operations["replacePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * Ends all your other sessions, and renews the cookie of this one. API tokens and passkeys stay unless you say otherwise.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up a second factor
         * Returns the secret for an authenticator, and recovery codes. They take effect with `POST /profile/two-factor/confirm` within 30 minutes; until then nothing changes, and a second factor that is on stays. With one, `code` is needed.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["setUpTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor on
         * Needs a first code of the authenticator that was set up, which shows that it works; this code is then used up. It replaces the second factor that was on before. Renews the cookie of the session. From now on a sign-in with the password needs a code.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/two-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor
         * Deletes its secret and recovery codes, and renews the cookie of the session. Needs `code`: one of the authenticator, or a recovery code. API tokens and passkeys stay unless you say otherwise.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["removeTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create new recovery codes
         * The previous codes stop working. Needs `code`: one of the authenticator, or a recovery code.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * Returns the passkeys with which you can sign in, newest first.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * From now on the passkey signs you in, without a password and a code.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a passkey
         * Returns the options for the browser, and sets a cookie with the challenge, which is valid for 5 minutes. Needs a sign-in of the last 15 minutes, or your `password`.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * It no longer signs you in. Sessions stay, and so do API tokens and other passkeys unless you say otherwise.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * The name is only for you.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        patch: operations["updatePasskey"];
        trace?: never;
    };
    "/profile/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * Returns the browsers in which you are signed in, newest first.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all other sessions
         * Signs you out everywhere else.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        delete: operations["deleteOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * Signs that browser out on every node, from its next request on.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/failed-sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List failed sign-ins
         * Returns the attempts of the last 30 days to sign in as you that failed, newest first: one entry for each hour and address, and at most some 200. New attempts appear within seconds.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        get: operations["listFailedSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API tokens
         * Returns your tokens of the current organization that were not revoked, newest first.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an API token
         * Creates a token for you in the current organization. The token itself is returned only here. Needs a sign-in of the last 15 minutes, or your `password`. You may have 50 valid tokens in an organization, or as many as the operator allows.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profile/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API token
         * Takes effect with the next request, on every node.
         *
         *     Only for people who are signed in to the console: API tokens cannot call it.
         */
        delete: operations["deleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the organization
         * Server-sent events of everything that happens in the organization; one connection serves a whole console. Each event has as its data:
         *
         *     - `scan` (scope `scans:read`): a scan, imports included, without its lists: `id`, `source`, `status`, `trigger`, `requested_by`, `progress`, `findings`, `error_count`, `warning_count` and times.
         *     - `report` (`reports:read`): `id`, `title`, `status`, `error`, `scheduled_report_id` and times.
         *     - `bulk_operation` (`findings:read`): the bulk operation.
         *     - `findings` (`findings:read`): `{"created": 12, "changed": 3, "at_least": false}`, how many findings are new and how many others changed since the last such event. With `at_least`, there were more.
         *     - `reset`: too much was missed. Load again what you show.
         *
         *     A new connection first gets the unfinished scans, reports and bulk operations. The states of one second are sent as one, and the same state may come twice. After an interruption event sources send `Last-Event-ID` by themselves and get what they have missed in up to an hour. A token with scopes gets the events that its scopes allow, and needs one of them. Streams end within a second when the token or session is revoked or its role changes, and after 15 minutes. A token may have 20 streams open, a session 5; more are 429.
         *
         *     Every token and session may call it.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the installation
         * Checks the room on disks, clocks, backups, jobs, schedules, the schema, roles, replicas and feeds, and says what to do. For owners of the organization that was created first, which runs the installation; `assay doctor` says the same at the command line, also when the service does not run.
         *
         *     Needs the role `owner` and, for tokens with scopes, the scope `organization:read`.
         */
        get: operations["checkInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ways to sign in
         * Returns the ways to sign in that the operator has configured, for the sign-in page.
         *
         *     Needs no authentication.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session
         * Returns the person of the session cookie, and keeps the session alive: it ends after 7 days without this request, and 30 days after the sign-in in any case.
         *
         *     Needs no authentication.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * Sets the session cookie, or, with `code_required`, a cookie for the second step. A wrong address and a wrong password get the same response. With `account_required`, several accounts of the address have this password: repeat the request with the `user_id` of one.
         *
         *     Needs no authentication.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a code
         * The second step of a sign-in, with the code of an authenticator. Each code works once.
         *
         *     Needs no authentication.
         */
        post: operations["signInWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/recovery-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a recovery code
         * The second step of a sign-in without the authenticator.
         *
         *     Needs no authentication.
         */
        post: operations["signInWithRecoveryCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * Ends the session on every node and removes its cookie. Does nothing without a session.
         *
         *     Needs no authentication.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * Returns the options for the browser, and sets a cookie with the challenge, which is valid for 5 minutes.
         *
         *     Needs no authentication.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * Sets the session cookie. No code is needed: the device has verified the person.
         *
         *     Needs no authentication.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-in/single-sign-on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a single sign-on
         * Returns the address of the provider, and sets a cookie that is valid for 10 minutes. The provider sends the browser back to `/auth/single-sign-on/callback`, which signs the person in and redirects to `redirect`, or to `/sign-in?error=…` with `single_sign_on_refused` (this person may not sign in), `single_sign_on_failed` or `single_sign_on_expired`.
         *
         *     Needs no authentication.
         */
        post: operations["beginSingleSignOn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link for a new password
         * Mails a link to `/reset-password` that works once within an hour. The response is the same whether the address has an account or not.
         *
         *     Needs no authentication.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password by a link
         * Ends all sessions of the account, and signs nobody in: a second factor is still needed at the next sign-in. API tokens and passkeys stay unless you say otherwise. A refused password leaves the link open. An account whose address was never verified becomes that of the person who followed the mailed link: everything that led into it before ends.
         *
         *     Needs no authentication.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new email address by a link
         * From now on the person signs in with it. Needs a session of the account. The former address gets a mail. Sessions stay. An account whose address was never verified needs a `new_password` instead: everything that led into it before ends.
         *
         *     Needs no authentication.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the other accounts of your address
         * Returns the accounts that organizations made for your verified address before it was verified there. Join each from a session of it.
         *
         *     Needs no authentication.
         */
        get: operations["listOtherAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accounts/join-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a code to join an account into this one
         * Returns a code that works once within 10 minutes, while this session lasts: enter it in a session of the other account. Needs a sign-in of the last 15 minutes, or your `password`.
         *
         *     Needs no authentication.
         */
        post: operations["createJoinCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accounts/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join this account into another one of yours
         * Moves the membership, the private views and the care for data sources of this account, whose address is not verified, to the account that made the `code`. The API tokens and sessions of this one end, and nobody signs in to it again. Needs a sign-in of the last 15 minutes, or the `password` of this account.
         *
         *     Needs no authentication.
         */
        post: operations["joinAccounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an invitation
         * Returns the content of the page behind an invitation link. It does not accept the invitation.
         *
         *     Needs no authentication.
         */
        post: operations["readInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * With a `password`, makes an account with it that is a member. Without one, the account that the browser is signed in to becomes a member: it must have the invited address, verified. A link that went only by mail verifies the address of a new account; any other makes an account for this organization only, whatever other accounts the address has. The link works once and does not sign the person in.
         *
         *     Needs no authentication.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedInvitation: {
            user: components["schemas"]["SignedInPerson"];
            /** `org_…` */
            organization_id: string;
            role: components["schemas"]["Role"];
        };
        /** The conditions for accepting a risk. */
        AcceptedRiskPolicy: {
            /** The maximum number of days for which people can accept a risk; null for no limit. */
            max_days: number | null;
            /** Whether they must add a comment. */
            reason_required: boolean;
        };
        /** The conditions for accepting a risk. */
        AcceptedRiskPolicyInput: {
            /** The maximum number of days for which people can accept a risk; null for no limit. */
            max_days: number | null;
            /** Whether they must add a comment. */
            reason_required: boolean;
        };
        AccountChoice: {
            /** `usr_…` */
            id: string;
            /** The names of the organizations that it belongs to. */
            organizations: string[];
        };
        AccountJoin: {
            /** The code from a session of the other account. */
            code: string;
            /** The password of this account: needed when you signed in more than 15 minutes ago. */
            password?: string;
        };
        AgeCount: {
            /** Null for all that are older than the band before. */
            up_to_days: number | null;
            open: number;
            by_severity: components["schemas"]["SeverityCounts"];
        };
        ApiToken: {
            /** `tok_…` */
            id: string;
            name: string;
            /** The scopes to which the token is limited; null for everything that its user may do. */
            scopes: components["schemas"]["Scope"][] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string | null;
            /**
             * To the minute.
             * @example 2026-01-31T09:30:00Z
             */
            last_used_at: string | null;
        };
        ApiTokenCreation: {
            /** What the token is for. One line, without control or direction characters; blanks around it are removed. */
            name: string;
            /** The scopes to which the token is limited; null for everything that its user may do. */
            scopes?: components["schemas"]["Scope"][] | null;
            /**
             * When the token expires, in the future; null for a token that does not expire. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at?: string | null;
            /** Your password: needed when you signed in more than 15 minutes ago. */
            password?: string;
        };
        ApiTokenPage: {
            data: components["schemas"]["ApiToken"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ApiTokenReference: {
            /** `tok_…` */
            id: string;
            name: string;
        };
        Assignee: {
            /** `usr_…` */
            id: string;
            /** Display name. */
            name: string;
            /**
             * Email address.
             */
            email: string;
        };
        AuditAction: "organization.created" | "organization.updated" | "organization.limits_changed" | "policy.updated" | "member.added" | "member.joined" | "member.role_changed" | "member.removed" | "member.sessions_ended" | "invitation.created" | "invitation.resent" | "invitation.revoked" | "invitation.accepted" | "token.created" | "token.revoked" | "account.password_reset" | "account.signed_in" | "account.sign_in_failed" | "account.signed_out" | "account.session_ended" | "account.password_recovered" | "account.claimed" | "account.joined" | "account.email_changed" | "account.password_changed" | "account.two_factor_enabled" | "account.two_factor_removed" | "account.two_factor_replaced" | "account.recovery_code_used" | "account.recovery_codes_renewed" | "account.disabled" | "account.enabled" | "account.sessions_ended" | "account.two_factor_reset" | "account.passkey_added" | "account.passkey_removed" | "account.renamed" | "data_source.created" | "data_source.updated" | "data_source.deleted" | "scan.cancelled" | "scan_schedule.created" | "scan_schedule.updated" | "scan_schedule.deleted" | "report.created" | "report.exported" | "report.deleted" | "scheduled_report.created" | "scheduled_report.updated" | "scheduled_report.deleted" | "findings.exported" | "findings.updated" | "findings.update_undone" | "audit_log.exported" | "view.shared" | "view.updated" | "view.unshared" | "view.deleted";
        AuditActor: {
            type: components["schemas"]["AuditActorType"];
            /** The person, also behind a token; null for the system. */
            user: components["schemas"]["UserReference"] | null;
            /** The API token; null for a console session and for the system. */
            token: components["schemas"]["ApiTokenReference"] | null;
            /** The IP address of the client. */
            address: string | null;
        };
        /**
         * `system`: the operator at the command line, or the platform itself.
         */
        AuditActorType: "user" | "token" | "system";
        AuditEvent: {
            /** `aud_…` */
            id: string;
            /** The position in the organization's chain, without gaps. */
            sequence: number;
            /**
             * The time at which the change took effect.
             * @example 2026-01-31T09:30:00Z
             */
            occurred_at: string;
            actor: components["schemas"]["AuditActor"];
            /** `noun.verb`; the parameter `action` lists them all. */
            action: string;
            target: components["schemas"]["AuditTarget"] | null;
            /** The fields that the change replaced or removed, with their values before it. */
            before: {
                [key: string]: unknown;
            } | null;
            /** The fields that the change set, with their values after it. */
            after: {
                [key: string]: unknown;
            } | null;
            /** Circumstances, such as a reason or a count. */
            details: {
                [key: string]: unknown;
            };
            /** SHA-256 of this event and the hash of the one before. */
            hash: string;
        };
        AuditEventPage: {
            data: components["schemas"]["AuditEvent"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * Overrides the header `Accept`; `json` by default.
         */
        AuditFormat: "json" | "csv";
        AuditTarget: {
            /** The id of what was changed; it may be gone. */
            id: string;
            /** The name that it had then. */
            name: string | null;
        };
        /** What is set on each finding; only the given fields are there. */
        BulkChange: {
            status?: components["schemas"]["FindingStatus"];
            tags?: string[];
            add_tags?: string[];
            remove_tags?: string[];
            /** `usr_…` */
            assignee?: string | null;
            comment?: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until?: string | null;
        };
        BulkOperation: {
            /** `bulk_…` */
            id: string;
            status: components["schemas"]["BulkOperationStatus"];
            change: components["schemas"]["BulkChange"];
            /** The filters that select the findings; null when they were given by their ids. */
            filter: components["schemas"]["BulkOperationFilter"] | null;
            /**
             * Findings that were created or changed after this time are skipped.
             * @example 2026-01-31T09:30:00Z
             */
            as_of: string;
            requested_by: components["schemas"]["UserReference"] | null;
            /** Findings that matched at the start. */
            matched: number;
            /** How many of them it has come to. */
            processed: number;
            /** How many changed. */
            updated: number;
            /** How many were so already. */
            unchanged: number;
            /** Progress of the change or, later, of its undoing. */
            percent: number;
            /** Why it failed. */
            error: string | null;
            /**
             * Until then it can be undone; null when it cannot.
             * @example 2026-01-31T09:30:00Z
             */
            undoable_until: string | null;
            /** Null unless a person has undone it. */
            undo: components["schemas"]["BulkUndo"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        BulkOperationFilter: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][];
            /** Any of these detection source types. */
            source?: string[];
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][];
            /** In any of these data sources (ids). */
            data_source?: string[];
            /**
             * First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[];
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[];
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][];
            /** With any of these tags. */
            tag?: string[];
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[];
            /** Of any of these rules (ids). */
            rule?: string[];
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[];
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[];
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[];
            /** In any of these packages (names). */
            package?: string[];
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][];
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        BulkOperationPage: {
            data: components["schemas"]["BulkOperation"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * `failed`: it ended early; what it has changed can be undone.
         */
        BulkOperationStatus: "queued" | "running" | "completed" | "failed" | "undoing" | "undone";
        BulkUndo: {
            requested_by: components["schemas"]["UserReference"] | null;
            /** Findings that are as they were before the operation. */
            restored: number;
            /** Findings that were changed since the operation, and keep that change. */
            passed_over: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        /** Who or what made the change. */
        ChangeActor: {
            kind: components["schemas"]["ChangeActorKind"];
            /** `usr_…` or `scan_…` */
            id: string | null;
            name: string | null;
        };
        ChangeActorKind: "user" | "scan" | "system";
        /**
         * The part of the installation.
         */
        CheckName: "database" | "room" | "clock" | "backup" | "jobs" | "schedules" | "schema" | "roles" | "replicas" | "feeds";
        /**
         * `warning`: it works, and somebody should look. `failed`: it does not work, or data may be lost.
         */
        CheckState: "ok" | "warning" | "failed";
        ClosedNothing: {
            code: components["schemas"]["ClosedNothingCode"];
            /** The same in words. */
            message: string;
        };
        /**
         * - `failed`: The target failed: what it found stays, and what it did not see may still be there.
         *     - `cancelled`: The scan was cancelled before the target was done.
         *     - `incomplete`: Not all of the data source was covered: the warnings say what was left out.
         *     - `not_requested`: The import did not ask for it: send `close_missing=true` to close what the file no longer reports.
         *     - `overtaken`: A scan that began later ended first, and has seen a newer state.
         *     - `nothing_missing`: Everything that was open before was seen again.
         */
        ClosedNothingCode: "failed" | "cancelled" | "incomplete" | "not_requested" | "overtaken" | "nothing_missing";
        ConfirmedEmail: {
            /**
             * The new address.
             */
            email: string;
        };
        /**
         * `ok`, or the reason: `refused` by the network policy, at the address or after a redirect; `host_not_found`, `unreachable`, `timeout`; `untrusted`: the certificate is not trusted; `authentication_failed` or `invalid_credential`; `not_found`, `branch_not_found` or `empty`, for repositories; `unavailable`: the api has no git; `failed`: anything else.
         */
        ConnectionCode: "ok" | "refused" | "host_not_found" | "unreachable" | "timeout" | "untrusted" | "authentication_failed" | "invalid_credential" | "not_found" | "branch_not_found" | "empty" | "unavailable" | "failed";
        ConnectionTest: {
            /** Whether a scan could reach the data source now. */
            reachable: boolean;
            code: components["schemas"]["ConnectionCode"];
            /** The result as a sentence for people. */
            message: string;
        };
        /** The configuration of a `container_image`. */
        ContainerImageConfig: {
            /** The image reference, as it was given. */
            reference: string;
        };
        ContainerImageConfigCreation: {
            /** Image reference: `[registry/]name[:tag][@digest]`. */
            reference: string;
        };
        /** A `container_image`. */
        ContainerImageCreation: {
            /**
             * discriminator enum property added by openapi-typescript
             */
            kind: "container_image";
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config: components["schemas"]["ContainerImageConfigCreation"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        /**
         * How much depends on it: a `critical` data source makes its findings more urgent. `medium` by default.
         */
        Criticality: "low" | "medium" | "high" | "critical";
        /**
         * With a leading `-`: any but this.
         */
        CriticalityFilter: "low" | "medium" | "high" | "critical" | "-low" | "-medium" | "-high" | "-critical";
        DailyCount: {
            /**
             * Day in UTC, `YYYY-MM-DD`.
             * @example 2026-01-31
             */
            date: string;
            opened: number;
            closed: number;
            by_severity: components["schemas"]["DailySeverityCounts"];
        };
        DailySeverityCounts: {
            critical: components["schemas"]["OpenedAndClosed"];
            high: components["schemas"]["OpenedAndClosed"];
            medium: components["schemas"]["OpenedAndClosed"];
            low: components["schemas"]["OpenedAndClosed"];
            info: components["schemas"]["OpenedAndClosed"];
        };
        DataSource: {
            /** `ds_…` */
            id: string;
            kind: components["schemas"]["DataSourceKind"];
            /** The name of the data source. */
            name: string;
            /** The configuration, by kind. Credentials are never returned. */
            config: components["schemas"]["GitRepositoryConfig"] | components["schemas"]["WebsiteConfig"] | components["schemas"]["HostConfig"] | components["schemas"]["ContainerImageConfig"] | components["schemas"]["UploadConfig"];
            /** Whether a credential is stored for the data source. */
            has_credential: boolean;
            /** Words to group data sources by. */
            tags: string[];
            /** Who is responsible for it. */
            owner: components["schemas"]["DataSourceOwner"] | null;
            criticality: components["schemas"]["Criticality"];
            exposure: components["schemas"]["Exposure"];
            status: components["schemas"]["DataSourceStatus"];
            /** The reason, when the status is `error`. */
            status_message: string | null;
            /** The number of its findings that are `new`, `triaged` or `in_progress`. */
            open_findings: number;
            /**
             * When its last scan ended.
             * @example 2026-01-31T09:30:00Z
             */
            last_scanned_at: string | null;
            /**
             * When it was added.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
        };
        /** The changed fields, as the kind has them; others stay as they are. */
        DataSourceConfigUpdate: {
            /** New URL of a git repository or website. */
            url?: string;
            /** The branch to scan; null for the default branch of the repository. */
            branch?: string | null;
            branches?: components["schemas"]["SearchedBranches"] | null;
            /** The new credential; null removes the stored one. */
            credential?: components["schemas"]["GitCredential"] | null;
            /** Host name or IP address, without range or port. */
            address?: string;
            /** Image reference: `[registry/]name[:tag][@digest]`. */
            reference?: string;
        };
        DataSourceCount: {
            /** `ds_…` */
            id: string;
            name: string;
            open: number;
            total: number;
        };
        /** The new data source, by `kind`. */
        DataSourceCreation: components["schemas"]["GitRepositoryCreation"] | components["schemas"]["WebsiteCreation"] | components["schemas"]["HostCreation"] | components["schemas"]["ContainerImageCreation"] | components["schemas"]["UploadCreation"];
        /**
         * The kind of the data source; it never changes.
         */
        DataSourceKind: "git_repository" | "website" | "host" | "container_image" | "upload";
        DataSourceOwner: {
            /** `usr_…` */
            id: string;
            /** Display name. */
            name: string;
            /**
             * Email address.
             */
            email: string;
        };
        DataSourcePage: {
            data: components["schemas"]["DataSource"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        DataSourceReference: {
            /** `ds_…` */
            id: string;
            /** Its name. */
            name: string;
            kind: components["schemas"]["DataSourceKind"];
        };
        /**
         * Those that were never scanned are the oldest by `last_scanned_at`.
         */
        DataSourceSort: "-created_at" | "created_at" | "name" | "-name" | "last_scanned_at" | "-last_scanned_at";
        /**
         * The outcome of the last scan.
         */
        DataSourceStatus: "never_scanned" | "ok" | "error";
        DataSourceSuggestion: {
            kind: "git_repository";
            /** The name to give it. */
            name: string;
            /** What it is good for, in a sentence. */
            description: string;
            config: components["schemas"]["SuggestedConfig"];
            /** The data source with this address, if there is one already. */
            data_source_id: string | null;
        };
        DataSourceSuggestionPage: {
            data: components["schemas"]["DataSourceSuggestion"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        DataSourceUpdate: {
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config?: components["schemas"]["DataSourceConfigUpdate"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        /** The days to fix, by the criticality of the data source. */
        DaysByCriticality: {
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            low: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            medium: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            high: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            critical: number | null;
        };
        /** The days to fix, by the criticality of the data source. */
        DaysByCriticalityInput: {
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            low: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            medium: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            high: number | null;
            /** Days from the first sighting, or from the last reopening; null for no due date. */
            critical: number | null;
        };
        /** The days to fix a finding, by its severity and the criticality of its data source. */
        DaysToFix: {
            critical: components["schemas"]["DaysByCriticality"];
            high: components["schemas"]["DaysByCriticality"];
            medium: components["schemas"]["DaysByCriticality"];
            low: components["schemas"]["DaysByCriticality"];
            info: components["schemas"]["DaysByCriticality"];
        };
        /** The days to fix a finding, by its severity and the criticality of its data source. */
        DaysToFixInput: {
            critical: components["schemas"]["DaysByCriticalityInput"];
            high: components["schemas"]["DaysByCriticalityInput"];
            medium: components["schemas"]["DaysByCriticalityInput"];
            low: components["schemas"]["DaysByCriticalityInput"];
            info: components["schemas"]["DaysByCriticalityInput"];
        };
        Density: "comfortable" | "compact";
        DetectionSource: {
            /** Names it in paths and filters. */
            type: string;
            name: string;
            description: string;
            mode: components["schemas"]["DetectionSourceMode"];
            status: components["schemas"]["DetectionSourceStatus"];
            /** Why it is unavailable. */
            status_reason: string | null;
            version: string | null;
            /** The command that installs its program, run on the server in the folder of Assay; null when the program is there, or has to be installed in another way. An extension. */
            install_command: string | null;
            sandbox: components["schemas"]["Sandbox"] | null;
            data_source_kinds: components["schemas"]["DataSourceKind"][];
            open_findings: number;
            last_scan: components["schemas"]["LastScan"] | null;
        };
        /**
         * `scan`: run by the platform; `push`: its results come in by import.
         */
        DetectionSourceMode: "scan" | "push";
        DetectionSourcePage: {
            data: components["schemas"]["DetectionSource"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        DetectionSourceStatus: "connected" | "unavailable";
        EmailChange: {
            /**
             * Your new address.
             */
            email: string;
            /** Your password: needed when you signed in more than 15 minutes ago. */
            password?: string;
        };
        EmailConfirmation: {
            /** The `token` of the link in the mail. */
            token: string;
            /** Needed for an account whose address was never verified: 8 to 128 characters. */
            new_password?: string;
        };
        ErrorContent: {
            /**
             * For programs: codes do not change. New codes may be added.
             * @example invalid_request
             */
            code: string;
            /** For people: what was wrong, and what is accepted. */
            message: string;
            /** Lists each problem of the request. */
            details?: components["schemas"]["ErrorDetail"][];
            /** The same as in `X-Request-Id`. */
            request_id: string;
        };
        /** What was wrong with one field or parameter of a request. */
        ErrorDetail: {
            /** The part of the request that has the problem. */
            in?: components["schemas"]["ErrorPlace"];
            /**
             * The parameter, header or field: `limit`, `If-Match`, `config.url`, `ids[3]`.
             * @example config.url
             */
            field?: string;
            /** What was wrong, and what is accepted. */
            message: string;
            /** The id of what conflicts with the request, for example of what exists already. */
            id?: string;
            /** The limit that is reached. */
            limit?: number;
        };
        ErrorPlace: "query" | "body" | "path" | "header";
        /**
         * Whether anybody on the internet can reach it (`public`) or not (`internal`, the default).
         */
        Exposure: "internal" | "public";
        Facet: {
            field: components["schemas"]["FacetField"];
            /** Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization. */
            approximate: boolean;
            /** By how much the largest count is off at most, in 95 of 100 cases; 0 when exact. */
            margin: number;
            /** Whether there are further values with smaller counts. */
            more: boolean;
            /** The 50 values with the largest counts, the largest first. Severities, statuses and criticalities are complete and in their own order. */
            values: components["schemas"]["FacetValue"][];
        };
        FacetField: "severity" | "status" | "source" | "data_source" | "data_source_tag" | "owner" | "criticality" | "rule" | "tag" | "assignee" | "identifier";
        FacetValue: {
            /** The value as the filter of the list accepts it; `none` for findings without an assignee, or in data sources without an owner. */
            value: string;
            /** The display name if the value is the id of a data source, a person or a rule. */
            label: string | null;
            count: number;
        };
        FailedSignIn: {
            /** The address from which it was tried; null for the attempts from many further addresses together. */
            address: string | null;
            /** The ways that were tried. `confirmation`: the password or code that an action of a signed-in person asks for again. */
            methods: components["schemas"]["FailedSignInMethod"][];
            attempts: number;
            /**
             * The first of these attempts.
             * @example 2026-01-31T09:30:00Z
             */
            first_at: string;
            /**
             * The last of these attempts.
             * @example 2026-01-31T09:30:00Z
             */
            last_at: string;
        };
        FailedSignInMethod: "password" | "code" | "recovery_code" | "passkey" | "single_sign_on" | "link" | "confirmation";
        FailedSignInPage: {
            data: components["schemas"]["FailedSignIn"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        FieldChange: {
            /** The field of the finding. */
            field: string;
            /** Its value before. */
            from: unknown;
            /** Its value after. */
            to: unknown;
        };
        Finding: {
            /** `fnd_…` */
            id: string;
            /** The problem and its location in one line. */
            title: string;
            /** Markdown. */
            description: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["FindingStatus"];
            /** Type of the detection source that reported it. */
            source: string;
            data_source: components["schemas"]["DataSourceReference"];
            rule: components["schemas"]["FindingRule"];
            location: components["schemas"]["FindingLocation"];
            /** Public identifiers, e.g. CWE, CVE and GHSA. */
            identifiers: string[];
            cvss_score: number | null;
            /** The offending content; secrets are redacted. */
            evidence: string | null;
            /** How to fix it. Markdown. */
            remediation: string | null;
            /** Links to further reading. */
            references: string[];
            /** The tags that people gave it. */
            tags: string[];
            assignee: components["schemas"]["Assignee"] | null;
            /** Identity within its data source and source, prefixed with a version. */
            fingerprint: string;
            /** The number of places in which it occurs. */
            occurrences: number;
            comment_count: number;
            /** Why it was resolved, if not by a person. */
            resolution: components["schemas"]["FindingResolution"] | null;
            /**
             * The time until which the risk is accepted.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until: string | null;
            /** How often it was found again after it was resolved. */
            reopened_count: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            first_seen_at: string;
            /**
             * When a completed scan last saw it.
             * @example 2026-01-31T09:30:00Z
             */
            last_seen_at: string;
            /**
             * When its facts or its triage last changed.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            closed_at: string | null;
            /** `test` when all its places are in tests or examples, by their paths. */
            context: components["schemas"]["FindingContext"] | null;
            /** What to fix first: the higher, the sooner. */
            priority: number;
            /** What raised or lowered the priority, besides the severity. */
            priority_reasons: components["schemas"]["PriorityReason"][];
            /** The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several. */
            epss: number | null;
            /** The share of all CVEs with that EPSS score or a lower one. */
            epss_percentile: number | null;
            /** The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several. */
            kev: string | null;
            /**
             * When it must be fixed by the policy; null when it is closed or has no due date.
             * @example 2026-01-31T09:30:00Z
             */
            due_at: string | null;
        };
        /** The findings, by `ids` or by `filter`, and what to set on them. */
        FindingBulkUpdate: components["schemas"]["FindingBulkUpdateByIds"] | components["schemas"]["FindingBulkUpdateByFilter"];
        FindingBulkUpdateByFilter: {
            filter: components["schemas"]["FindingFilter"];
            status?: components["schemas"]["FindingStatus"];
            /** Replaces the tags. Duplicates are removed, ignoring case. */
            tags?: string[];
            /** Id or email address of a member; null for nobody. */
            assignee?: string | null;
            /** Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep. */
            comment?: string;
            /**
             * With status `accepted_risk`: from this time the finding is new again; null for no end.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until?: string | null;
            /** Added to the tags of each finding, which keeps 50 at most. Not together with `tags`. */
            add_tags?: string[];
            /** Removed from the tags of each finding, case aside. Not together with `tags`. */
            remove_tags?: string[];
            /** With true, nothing is written: the response says what would happen. */
            dry_run?: boolean;
            /**
             * Changes only findings that were not created or changed after this time, to the second. Give the `as_of` of a dry run, so that nothing is changed that its reader has not seen. A finding must also match the filters when it is changed. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            as_of?: string;
            /** The `matched` of a dry run. When another number of findings matches now, nothing is changed: 409. */
            expected_count?: number;
        };
        FindingBulkUpdateByIds: {
            /** Up to 1,000 finding ids. */
            ids: string[];
            status?: components["schemas"]["FindingStatus"];
            /** Replaces the tags. Duplicates are removed, ignoring case. */
            tags?: string[];
            /** Id or email address of a member; null for nobody. */
            assignee?: string | null;
            /** Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep. */
            comment?: string;
            /**
             * With status `accepted_risk`: from this time the finding is new again; null for no end.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until?: string | null;
            /** Added to the tags of each finding, which keeps 50 at most. Not together with `tags`. */
            add_tags?: string[];
            /** Removed from the tags of each finding, case aside. Not together with `tags`. */
            remove_tags?: string[];
            /** With true, nothing is written: the response says what would happen. */
            dry_run?: boolean;
            /**
             * Changes only findings that were not created or changed after this time, to the second. Give the `as_of` of a dry run, so that nothing is changed that its reader has not seen. A finding must also match the filters when it is changed. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            as_of?: string;
            /** The `matched` of a dry run. When another number of findings matches now, nothing is changed: 409. */
            expected_count?: number;
        };
        FindingBulkUpdateResult: {
            /** How many findings changed so far; those that were so already are not counted. 0 in a dry run. */
            updated: number;
            /** The operation, which can be undone; null in a dry run, and when nothing changed. */
            operation: components["schemas"]["BulkOperation"] | null;
            /** How many findings match. */
            matched: number;
            /** How many of them already have these values. */
            unchanged: number;
            /**
             * Later changes are not in these figures. Send it with the real update.
             * @example 2026-01-31T09:30:00Z
             */
            as_of: string;
            /** Of a dry run: the matching findings by severity. */
            by_severity: components["schemas"]["SeverityCounts"] | null;
            /** Of a dry run: the matching findings by status. */
            by_status: components["schemas"]["StatusCounts"] | null;
            /** Of a dry run: up to ten of the matching findings, the most severe ones first. */
            samples: components["schemas"]["Finding"][] | null;
        };
        FindingChange: {
            /** `his_…` */
            id: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            at: string;
            actor: components["schemas"]["ChangeActor"];
            changes: components["schemas"]["FieldChange"][];
        };
        FindingChangePage: {
            data: components["schemas"]["FindingChange"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        FindingComment: {
            /** `cmt_…` */
            id: string;
            /** `fnd_…` */
            finding_id: string;
            /** Markdown; empty when it was deleted. */
            comment: string;
            /** Null for comments by the platform itself. */
            author: components["schemas"]["UserReference"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * When its author last changed it; null if never.
             * @example 2026-01-31T09:30:00Z
             */
            edited_at: string | null;
            /**
             * When its author deleted it: its text is gone, and this mark remains.
             * @example 2026-01-31T09:30:00Z
             */
            deleted_at: string | null;
        };
        FindingCommentCreation: {
            /** Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep. */
            comment: string;
        };
        FindingCommentPage: {
            data: components["schemas"]["FindingComment"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        FindingCommentUpdate: {
            /** Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep. */
            comment: string;
        };
        FindingContext: "test";
        /**
         * With a leading `-`: any but this.
         */
        FindingContextFilter: "test" | "none" | "-test" | "-none";
        FindingDetail: {
            /** `fnd_…` */
            id: string;
            /** The problem and its location in one line. */
            title: string;
            /** Markdown. */
            description: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["FindingStatus"];
            /** Type of the detection source that reported it. */
            source: string;
            data_source: components["schemas"]["DataSourceReference"];
            rule: components["schemas"]["FindingRule"];
            location: components["schemas"]["FindingLocation"];
            /** Public identifiers, e.g. CWE, CVE and GHSA. */
            identifiers: string[];
            cvss_score: number | null;
            /** The offending content; secrets are redacted. */
            evidence: string | null;
            /** How to fix it. Markdown. */
            remediation: string | null;
            /** Links to further reading. */
            references: string[];
            /** The tags that people gave it. */
            tags: string[];
            assignee: components["schemas"]["Assignee"] | null;
            /** Identity within its data source and source, prefixed with a version. */
            fingerprint: string;
            /** The number of places in which it occurs. */
            occurrences: number;
            comment_count: number;
            /** Why it was resolved, if not by a person. */
            resolution: components["schemas"]["FindingResolution"] | null;
            /**
             * The time until which the risk is accepted.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until: string | null;
            /** How often it was found again after it was resolved. */
            reopened_count: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            first_seen_at: string;
            /**
             * When a completed scan last saw it.
             * @example 2026-01-31T09:30:00Z
             */
            last_seen_at: string;
            /**
             * When its facts or its triage last changed.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            closed_at: string | null;
            /** `test` when all its places are in tests or examples, by their paths. */
            context: components["schemas"]["FindingContext"] | null;
            /** What to fix first: the higher, the sooner. */
            priority: number;
            /** What raised or lowered the priority, besides the severity. */
            priority_reasons: components["schemas"]["PriorityReason"][];
            /** The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several. */
            epss: number | null;
            /** The share of all CVEs with that EPSS score or a lower one. */
            epss_percentile: number | null;
            /** The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several. */
            kev: string | null;
            /**
             * When it must be fixed by the policy; null when it is closed or has no due date.
             * @example 2026-01-31T09:30:00Z
             */
            due_at: string | null;
            /** The places in which it occurs, at most 100. */
            places: components["schemas"]["FindingPlace"][];
            /** Findings of other detection sources about the same problem in the same data source, at most 20: in the same package with the same advisory, or with the same CWE in the same file and line. */
            related: string[];
        };
        /**
         * The format of the file.
         */
        FindingExportFormat: "csv" | "json";
        /**
         * Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500.
         */
        FindingExportSort: "-first_seen_at" | "first_seen_at" | "-severity" | "updated_at" | "-updated_at" | "due_at" | "-priority" | "relevance";
        FindingFacets: {
            /** How many findings the filters select. */
            total: number;
            /** Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization. */
            approximate: boolean;
            /** By how much `total` is off at most, in 95 of 100 cases; 0 when exact. */
            margin: number;
            /** The counts of each field, in the order of the request. */
            facets: components["schemas"]["Facet"][];
        };
        FindingField: "rule" | "location" | "identifiers" | "cvss_score" | "evidence" | "description" | "remediation" | "references" | "id" | "title" | "severity" | "status" | "source" | "data_source" | "tags" | "assignee" | "fingerprint" | "occurrences" | "comment_count" | "resolution" | "accepted_until" | "reopened_count" | "first_seen_at" | "last_seen_at" | "updated_at" | "closed_at" | "context" | "priority" | "priority_reasons" | "epss" | "epss_percentile" | "kev" | "due_at";
        /** With `format=json`. */
        FindingFile: {
            /** Each also with `comments`, its newest ones. */
            data: components["schemas"]["FindingWithPlaces"][];
        };
        /** All findings that these filters of the list select; several values as an array. */
        FindingFilter: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][];
            /** Any of these detection source types. */
            source?: string[];
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][];
            /** In any of these data sources (ids). */
            data_source?: string[];
            /**
             * First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[];
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[];
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][];
            /** With any of these tags. */
            tag?: string[];
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[];
            /** Of any of these rules (ids). */
            rule?: string[];
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[];
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[];
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[];
            /** In any of these packages (names). */
            package?: string[];
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][];
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        FindingGroup: {
            /** The rule, the data source (id) or the package (name): as the filter takes it. */
            value: string;
            /** The name of the rule or the data source. */
            label: string | null;
            count: number;
            by_severity: components["schemas"]["SeverityCounts"];
            /**
             * The newest completed scan that saw one of them.
             * @example 2026-01-31T09:30:00Z
             */
            last_seen_at: string | null;
            /** Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization. */
            approximate: boolean;
            /** By how much `count`, or one of `by_severity`, is off at most, in 95 of 100 cases; 0 when exact. */
            margin: number;
        };
        FindingGroupPage: {
            data: components["schemas"]["FindingGroup"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * What the findings of a group have in common.
         */
        FindingGrouping: "rule" | "data_source" | "package";
        FindingLocation: {
            /** Path of the file within its data source. */
            path: string | null;
            start_line: number | null;
            end_line: number | null;
            start_column: number | null;
            /** The first column after the problem. */
            end_column: number | null;
            /** The commit that introduced it. */
            commit: string | null;
            /** A link to the location. */
            url: string | null;
            package: components["schemas"]["PackageReference"] | null;
        };
        FindingPage: {
            data: components["schemas"]["Finding"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        FindingPlace: {
            path: string | null;
            start_line: number | null;
            end_line: number | null;
            commit: string | null;
        };
        FindingResolution: "fixed" | "data_source_removed";
        FindingRule: {
            /** Stable name of the rule. */
            id: string;
            /** Display name. */
            name: string;
            /** Its documentation. */
            url: string | null;
            /** The scanner's tags of the rule; those that people give the finding are its `tags`. */
            tags: string[];
        };
        /** The `id` of a finding and the chosen ones of its fields. */
        FindingSelection: {
            /** `fnd_…` */
            id: string;
            /** The problem and its location in one line. */
            title?: string;
            /** Markdown. */
            description?: string;
            severity?: components["schemas"]["Severity"];
            status?: components["schemas"]["FindingStatus"];
            /** Type of the detection source that reported it. */
            source?: string;
            data_source?: components["schemas"]["DataSourceReference"];
            rule?: components["schemas"]["FindingRule"];
            location?: components["schemas"]["FindingLocation"];
            /** Public identifiers, e.g. CWE, CVE and GHSA. */
            identifiers?: string[];
            cvss_score?: number | null;
            /** The offending content; secrets are redacted. */
            evidence?: string | null;
            /** How to fix it. Markdown. */
            remediation?: string | null;
            /** Links to further reading. */
            references?: string[];
            /** The tags that people gave it. */
            tags?: string[];
            assignee?: components["schemas"]["Assignee"] | null;
            /** Identity within its data source and source, prefixed with a version. */
            fingerprint?: string;
            /** The number of places in which it occurs. */
            occurrences?: number;
            comment_count?: number;
            /** Why it was resolved, if not by a person. */
            resolution?: components["schemas"]["FindingResolution"] | null;
            /**
             * The time until which the risk is accepted.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until?: string | null;
            /** How often it was found again after it was resolved. */
            reopened_count?: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            first_seen_at?: string;
            /**
             * When a completed scan last saw it.
             * @example 2026-01-31T09:30:00Z
             */
            last_seen_at?: string;
            /**
             * When its facts or its triage last changed.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at?: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            closed_at?: string | null;
            /** `test` when all its places are in tests or examples, by their paths. */
            context?: components["schemas"]["FindingContext"] | null;
            /** What to fix first: the higher, the sooner. */
            priority?: number;
            /** What raised or lowered the priority, besides the severity. */
            priority_reasons?: components["schemas"]["PriorityReason"][];
            /** The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several. */
            epss?: number | null;
            /** The share of all CVEs with that EPSS score or a lower one. */
            epss_percentile?: number | null;
            /** The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several. */
            kev?: string | null;
            /**
             * When it must be fixed by the policy; null when it is closed or has no due date.
             * @example 2026-01-31T09:30:00Z
             */
            due_at?: string | null;
        };
        FindingSelectionPage: {
            data: components["schemas"]["FindingSelection"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * The order; `-` means descending. The default is `-first_seen_at`. With `due_at`, findings without a due date come last. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state. With `-updated_at`, it moves to the front, which you have already read, and with `-severity`, `-priority` and `due_at`, a finding for which these change can be skipped or returned twice: use `updated_at` to miss no change. A finding loses its due date when it is closed, and gets one when it is reopened. `relevance` needs `q` and ranks its newest matches, at most 500: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select.
         */
        FindingSort: "-first_seen_at" | "first_seen_at" | "-severity" | "updated_at" | "-updated_at" | "due_at" | "-priority" | "relevance";
        FindingStatus: "new" | "triaged" | "in_progress" | "resolved" | "false_positive" | "accepted_risk";
        /**
         * With a leading `-`: any but this.
         */
        FindingStatusFilter: "new" | "triaged" | "in_progress" | "resolved" | "false_positive" | "accepted_risk" | "-new" | "-triaged" | "-in_progress" | "-resolved" | "-false_positive" | "-accepted_risk";
        FindingSummary: {
            total: number;
            /** New, triaged or in progress. */
            open: number;
            by_severity: components["schemas"]["SeverityCounts"];
            by_status: components["schemas"]["StatusCounts"];
            /** Detection source types that have findings. */
            by_source: {
                [key: string]: number;
            };
            /** Data sources that have findings, the one with most open ones first. */
            by_data_source: components["schemas"]["DataSourceCount"][];
            /** The 20 rules with the most open findings. */
            by_rule: components["schemas"]["RuleCount"][];
            /** Open findings by the days since they were first seen, the youngest first; at most a minute old. */
            by_age: components["schemas"]["AgeCount"][];
            /** Whether the counts are estimates instead of exact: never among up to 1,000,000 findings of an organization. */
            approximate: boolean;
            /** By how much the largest count of `by_rule` and `by_age` is off at most, in 95 of 100 cases; 0 when exact. */
            margin: number;
            /** How many opened (new or reopened) and closed on each day, today last. */
            daily: components["schemas"]["DailyCount"][];
        };
        FindingUpdate: {
            status?: components["schemas"]["FindingStatus"];
            /** Replaces the tags. Duplicates are removed, ignoring case. */
            tags?: string[];
            /** Id or email address of a member; null for nobody. */
            assignee?: string | null;
            /** Markdown, 1-10,000 characters. Quotes and lists may nest 50 levels deep. */
            comment?: string;
            /**
             * With status `accepted_risk`: from this time the finding is new again; null for no end.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until?: string | null;
        };
        FindingWithPlaces: {
            /** `fnd_…` */
            id: string;
            /** The problem and its location in one line. */
            title: string;
            /** Markdown. */
            description: string;
            severity: components["schemas"]["Severity"];
            status: components["schemas"]["FindingStatus"];
            /** Type of the detection source that reported it. */
            source: string;
            data_source: components["schemas"]["DataSourceReference"];
            rule: components["schemas"]["FindingRule"];
            location: components["schemas"]["FindingLocation"];
            /** Public identifiers, e.g. CWE, CVE and GHSA. */
            identifiers: string[];
            cvss_score: number | null;
            /** The offending content; secrets are redacted. */
            evidence: string | null;
            /** How to fix it. Markdown. */
            remediation: string | null;
            /** Links to further reading. */
            references: string[];
            /** The tags that people gave it. */
            tags: string[];
            assignee: components["schemas"]["Assignee"] | null;
            /** Identity within its data source and source, prefixed with a version. */
            fingerprint: string;
            /** The number of places in which it occurs. */
            occurrences: number;
            comment_count: number;
            /** Why it was resolved, if not by a person. */
            resolution: components["schemas"]["FindingResolution"] | null;
            /**
             * The time until which the risk is accepted.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until: string | null;
            /** How often it was found again after it was resolved. */
            reopened_count: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            first_seen_at: string;
            /**
             * When a completed scan last saw it.
             * @example 2026-01-31T09:30:00Z
             */
            last_seen_at: string;
            /**
             * When its facts or its triage last changed.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            closed_at: string | null;
            /** `test` when all its places are in tests or examples, by their paths. */
            context: components["schemas"]["FindingContext"] | null;
            /** What to fix first: the higher, the sooner. */
            priority: number;
            /** What raised or lowered the priority, besides the severity. */
            priority_reasons: components["schemas"]["PriorityReason"][];
            /** The probability that one of its CVEs is exploited within 30 days (EPSS), the highest of several. */
            epss: number | null;
            /** The share of all CVEs with that EPSS score or a lower one. */
            epss_percentile: number | null;
            /** The date on which CISA added one of its CVEs to the catalogue of known exploited vulnerabilities, the earliest of several. */
            kev: string | null;
            /**
             * When it must be fixed by the policy; null when it is closed or has no due date.
             * @example 2026-01-31T09:30:00Z
             */
            due_at: string | null;
            /** The places in which it occurs, at most 100. */
            places: components["schemas"]["FindingPlace"][];
        };
        /** The credential of a private repository. It is stored encrypted and never returned. */
        GitCredential: {
            /** User name, for https with a password. Hosts that accept a token as password often accept any name. */
            username?: string;
            /** Password, for https. */
            password?: string;
            /** Access token, for https, instead of a password. */
            token?: string;
            /** Private key in PEM or OpenSSH form, for ssh. */
            private_key?: string;
            /** Passphrase of the private key. */
            passphrase?: string;
        };
        /** The configuration of a `git_repository`. */
        GitRepositoryConfig: {
            /** The URL from which git fetches the repository. */
            url: string;
            /** The branch to scan; null for the default branch. */
            branch: string | null;
            branches?: components["schemas"]["SearchedBranches"];
        };
        GitRepositoryConfigCreation: {
            /** https, ssh or git URL, or `user@host:path`. `file:` only under directories that the operator allows. No credential in it. */
            url: string;
            /** The branch to scan; null for the default branch of the repository. */
            branch?: string | null;
            branches?: components["schemas"]["SearchedBranches"] | null;
            credential?: components["schemas"]["GitCredential"] | null;
        };
        /** A `git_repository`. */
        GitRepositoryCreation: {
            /**
             * discriminator enum property added by openapi-typescript
             */
            kind: "git_repository";
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config: components["schemas"]["GitRepositoryConfigCreation"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        /** The configuration of a `host`. */
        HostConfig: {
            /** The name or IP address of the host, in normal form. */
            address: string;
        };
        HostConfigCreation: {
            /** Host name or IP address, without range or port. */
            address: string;
        };
        /** A `host`. */
        HostCreation: {
            /**
             * discriminator enum property added by openapi-typescript
             */
            kind: "host";
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config: components["schemas"]["HostConfigCreation"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        /**
         * The format of the file; detected when not given.
         */
        ImportFormat: "sarif" | "cyclonedx" | "trivy" | "grype" | "gitleaks" | "trufflehog" | "detect-secrets" | "semgrep" | "osv-scanner" | "npm-audit" | "pip-audit" | "govulncheck" | "gosec" | "bandit" | "checkov" | "kics" | "tfsec" | "hadolint" | "dockle" | "brakeman" | "mobsf" | "gitlab" | "github" | "sonarqube" | "checkmarx" | "veracode" | "snyk" | "nuclei" | "nmap" | "zap" | "burp" | "acunetix" | "openvas" | "nessus" | "qualys" | "nexpose" | "nikto" | "testssl" | "ocsf" | "asff" | "inspector" | "prowler" | "scoutsuite" | "defender" | "wiz" | "generic" | "spdx";
        /** What an import would do. `findings.resolved` heeds `close_missing`. */
        ImportPreview: {
            /** The format of the file, as `format` names it. */
            format: string;
            /** Types of the detection sources that the file covers. */
            sources: string[];
            /** Results in the file, each finding once. */
            results: number;
            /** Results that the file says are decided on already. */
            suppressed: number;
            findings: components["schemas"]["ScanFindings"];
            missing: components["schemas"]["ImportPreviewMissing"];
            /** Why the file may close nothing, even with `close_missing`; empty when it may. */
            incomplete: string[];
            /** Sentences with the number of results whose texts or lists are longer than what is kept. */
            cut: string[];
        };
        ImportPreviewMissing: {
            /** Open findings here that the file no longer reports: what `close_missing` would close. */
            count: number;
            by_severity: components["schemas"]["SeverityCounts"];
            /** Some of them, at most 10. */
            samples: components["schemas"]["ImportPreviewSample"][];
        };
        ImportPreviewSample: {
            /** `fnd_…` */
            id: string;
            title: string;
            severity: components["schemas"]["Severity"];
        };
        /** The state of the installation: the most severe of its checks, and each of them. */
        Installation: {
            state: components["schemas"]["CheckState"];
            /**
             * When it was checked.
             * @example 2026-01-31T09:30:00Z
             */
            checked_at: string;
            checks: components["schemas"]["InstallationCheck"][];
        };
        /** The result of checking one part of the installation. */
        InstallationCheck: {
            name: components["schemas"]["CheckName"];
            state: components["schemas"]["CheckState"];
            /** The result of the check, as a sentence. */
            summary: string;
            /** The next step; null when it is `ok`. */
            action: string | null;
        };
        Invitation: {
            /** `inv_…` */
            id: string;
            /**
             * Email address.
             */
            email: string;
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            invited_by: components["schemas"]["UserReference"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string;
        };
        InvitationAcceptance: {
            /** The `token` of the link in the mail. */
            token: string;
            /** The name for the new account. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            /** The password for a new account. Without it, the account that the browser is signed in to accepts. */
            password?: string;
        };
        InvitationCreation: {
            /**
             * The address of the person to invite.
             */
            email: string;
            role?: components["schemas"]["Role"];
        };
        InvitationPage: {
            data: components["schemas"]["Invitation"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        InvitationPreview: {
            /**
             * The address that was invited.
             */
            email: string;
            /** The name of the organization. */
            organization: string;
            role: components["schemas"]["Role"];
            /** The name of the person who sent the invitation. */
            invited_by: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string;
            /** Whether the person has an account with this address, to sign in to. Only a link that went by mail says so: false for all others. */
            has_account: boolean;
            /** Whether the account that this browser is signed in to can accept, without a password. */
            can_accept: boolean;
        };
        InvitationStatus: "pending" | "accepted" | "expired" | "revoked";
        JoinCode: {
            /** To enter in a session of the other account. It works once. */
            code: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string;
        };
        KnownRule: {
            id: string;
            /** Display name. */
            name: string;
            /** How many findings have it, closed ones too. */
            count: number;
            /** Always false: the counts are exact. */
            approximate: boolean;
        };
        KnownRulePage: {
            data: components["schemas"]["KnownRule"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        KnownTag: {
            tag: string;
            /** How many findings have it, closed ones too. */
            count: number;
            /** Always false: the counts are exact. */
            approximate: boolean;
        };
        KnownTagPage: {
            data: components["schemas"]["KnownTag"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        LastScan: {
            /** `scan_…` */
            id: string;
            status: components["schemas"]["ScanStatus"];
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        LinkRequest: {
            /** The `token` of the link in the mail. */
            token: string;
        };
        Member: {
            /** `usr_…` */
            id: string;
            name: string;
            /**
             * Email address.
             */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            joined_at: string;
            /**
             * The time of the last request, to the minute; null before the first.
             * @example 2026-01-31T09:30:00Z
             */
            last_active_at: string | null;
        };
        MemberPage: {
            data: components["schemas"]["Member"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        MemberUpdate: {
            role: components["schemas"]["Role"];
        };
        Membership: {
            /** `org_…` */
            id: string;
            name: string;
            role: components["schemas"]["Role"];
        };
        NewApiToken: {
            /** `tok_…` */
            id: string;
            name: string;
            /** The scopes to which the token is limited; null for everything that its user may do. */
            scopes: components["schemas"]["Scope"][] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string | null;
            /**
             * To the minute.
             * @example 2026-01-31T09:30:00Z
             */
            last_used_at: string | null;
            /** The token itself. It is returned only this once. */
            token: string;
        };
        NewInvitation: {
            /** `inv_…` */
            id: string;
            /**
             * Email address.
             */
            email: string;
            role: components["schemas"]["Role"];
            status: components["schemas"]["InvitationStatus"];
            invited_by: components["schemas"]["UserReference"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string;
            /** The link for the person, which is returned only here; null where the platform mails it. It works once. */
            url: string | null;
        };
        /** With `format=ocsf`: OCSF events, one for each finding. */
        OcsfEvents: {
            [key: string]: unknown;
        }[];
        OpenedAndClosed: {
            opened: number;
            closed: number;
        };
        Organization: {
            /** `org_…` */
            id: string;
            name: string;
            plan: components["schemas"]["OrganizationPlan"];
            rate_limit: components["schemas"]["TokenRateLimit"];
            member_count: number;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /** Whether it is the organization that was created first, whose owners may check the installation. */
            runs_installation: boolean;
        };
        OrganizationPlan: "default" | "enterprise";
        OrganizationUpdate: {
            /** The name of the organization. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
        };
        OtherAccount: {
            /** `usr_…` */
            id: string;
            name: string;
            /** The names of the organizations that it belongs to. */
            organizations: string[];
        };
        OtherAccounts: {
            /** Accounts that organizations made for your address. Empty while your address is not verified. */
            data: components["schemas"]["OtherAccount"][];
        };
        PackageReference: {
            /** The ecosystem as OSV names it, e.g. `npm`, `PyPI`, `Go`. */
            ecosystem: string;
            /** Name of the package. */
            name: string;
            /** The version that was found. */
            version: string | null;
            /** The first version without the problem, if known. */
            fixed_version: string | null;
            /** Package URL. */
            purl: string | null;
        };
        Passkey: {
            /** `psk_…` */
            id: string;
            name: string;
            /** Whether it is kept by an account, and so on several devices. */
            is_backed_up: boolean;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            last_used_at: string | null;
        };
        PasskeyAlgorithm: {
            type: string;
            alg: number;
        } & {
            [key: string]: unknown;
        };
        /** What `navigator.credentials.get()` returned: `AuthenticationResponseJSON` of WebAuthn. */
        PasskeyAssertion: {
            id: string;
            rawId: string;
            type: string;
            response: components["schemas"]["PasskeyAssertionResponse"];
        } & {
            [key: string]: unknown;
        };
        PasskeyAssertionResponse: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
            userHandle?: string;
        } & {
            [key: string]: unknown;
        };
        /** What `navigator.credentials.create()` returned: `RegistrationResponseJSON` of WebAuthn. */
        PasskeyAttestation: {
            id: string;
            rawId: string;
            type: string;
            response: components["schemas"]["PasskeyAttestationResponse"];
        } & {
            [key: string]: unknown;
        };
        PasskeyAttestationResponse: {
            clientDataJSON: string;
            attestationObject: string;
        } & {
            [key: string]: unknown;
        };
        PasskeyConfirmation: {
            /** Your password: needed when you signed in more than 15 minutes ago. */
            password?: string;
        };
        PasskeyCreation: {
            /** What the passkey is called, for example the device. One line, without control or direction characters; blanks around it are removed. */
            name: string;
            credential: components["schemas"]["PasskeyAttestation"];
        };
        /** What `navigator.credentials.create()` takes: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
        PasskeyCreationOptions: {
            challenge: string;
            rp: components["schemas"]["PasskeyRelyingParty"];
            user: components["schemas"]["PasskeyUser"];
            pubKeyCredParams: components["schemas"]["PasskeyAlgorithm"][];
            timeout?: number;
            attestation?: string;
            excludeCredentials?: components["schemas"]["PasskeyDescriptor"][];
        } & {
            [key: string]: unknown;
        };
        PasskeyDescriptor: {
            id: string;
            type: string;
            transports?: string[];
        };
        PasskeyPage: {
            data: components["schemas"]["Passkey"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        PasskeyRelyingParty: {
            id?: string;
            name: string;
        } & {
            [key: string]: unknown;
        };
        /** What `navigator.credentials.get()` takes: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
        PasskeyRequestOptions: {
            challenge: string;
            rpId?: string;
            timeout?: number;
            userVerification?: string;
            allowCredentials?: components["schemas"]["PasskeyDescriptor"][];
        } & {
            [key: string]: unknown;
        };
        PasskeySignIn: {
            credential: components["schemas"]["PasskeyAssertion"];
        };
        PasskeyUpdate: {
            /** What the passkey is called, for example the device. One line, without control or direction characters; blanks around it are removed. */
            name: string;
        };
        PasskeyUser: {
            id: string;
            name: string;
            displayName: string;
        } & {
            [key: string]: unknown;
        };
        PasswordChange: {
            /** Your password until now. */
            current_password: string;
            /** 8 to 128 characters. */
            new_password: string;
            /** Whether your API tokens of all organizations are revoked too; by default they stay. */
            revoke_tokens?: boolean;
            /** Whether all your passkeys are removed too; by default they stay. */
            remove_passkeys?: boolean;
        };
        PasswordConfirmation: {
            /** Your password. */
            password: string;
            /** A code of your authenticator, or a recovery code: needed while a second factor is on. */
            code?: string;
        };
        PasswordReset: {
            /** The `token` of the link in the mail. */
            token: string;
            /** 8 to 128 characters. */
            new_password: string;
            /** Whether your API tokens of all organizations are revoked too; by default they stay. */
            revoke_tokens?: boolean;
            /** Whether all your passkeys are removed too; by default they stay. */
            remove_passkeys?: boolean;
        };
        PasswordResetRequest: {
            /**
             * Email address.
             */
            email: string;
        };
        PermissionCode: "findings:read" | "findings:write" | "views:write" | "views:share" | "views:manage" | "scans:read" | "scans:write" | "schedules:write" | "reports:read" | "reports:write" | "scheduled_reports:write" | "sources:read" | "sources:write" | "imports:write" | "organization:read" | "organization:write" | "audit:read" | "owners:write" | "installation:read" | "preferences:write";
        Policy: {
            days_to_fix: components["schemas"]["DaysToFix"];
            /** Days more for findings in test code, which the path shows. */
            test_grace_days: number;
            accepted_risk: components["schemas"]["AcceptedRiskPolicy"];
            sign_in: components["schemas"]["SignInPolicy"];
        };
        PolicyReplacement: {
            days_to_fix: components["schemas"]["DaysToFixInput"];
            /** Days more for findings in test code, which the path shows. */
            test_grace_days: number;
            accepted_risk: components["schemas"]["AcceptedRiskPolicyInput"];
            sign_in?: components["schemas"]["SignInPolicyInput"];
            /** Whether to accept that the request itself would be refused by the new sign-in policy. */
            lock_out?: boolean;
        };
        Preferences: {
            theme: components["schemas"]["Theme"];
            density: components["schemas"]["Density"];
            /** The columns of the list of findings, as members of a finding, in order; null for the default ones. */
            columns: string[] | null;
            /** Whether single keys act, such as `j`, `k` and `1` to `5`. */
            single_keys: boolean;
            /** Whatever else a client keeps: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`. */
            custom: {
                [key: string]: unknown;
            };
        };
        PreferencesInput: {
            theme?: components["schemas"]["Theme"];
            density?: components["schemas"]["Density"];
            /** The columns of the list of findings, as members of a finding, in order; null for the default ones. */
            columns?: string[] | null;
            /** Whether single keys act, such as `j`, `k` and `1` to `5`. */
            single_keys?: boolean;
            /** Whatever else a client keeps: up to 100 members of any JSON, named by lower-case letters, digits, `_`, `.` and `-`. */
            custom?: {
                [key: string]: unknown;
            };
        };
        /**
         * What raised or lowered the priority: `cvss` (its score counts, not the severity), `test_code`, `fix_available`, `public`, the criticality of the data source, `known_exploited` (KEV), or the percentile of its EPSS score.
         */
        PriorityReason: "test_code" | "fix_available" | "cvss" | "data_source_low" | "data_source_high" | "data_source_critical" | "public" | "known_exploited" | "epss_top_1_percent" | "epss_top_5_percent" | "epss_top_20_percent";
        Profile: {
            /** `usr_…` */
            id: string;
            name: string;
            /**
             * Email address.
             */
            email: string;
            /** Whether the person has shown, by a mailed link or single sign-on, that the address is theirs. Until then the account belongs to one organization only. */
            email_verified: boolean;
            two_factor_enabled: boolean;
            /** Whether the person can sign in with a password. People without one use single sign-on or passkeys. */
            has_password: boolean;
            organization: components["schemas"]["Membership"];
            /** All organizations that the person belongs to, in the order of joining. */
            organizations: components["schemas"]["Membership"][];
            /** Why the organization refuses this session, which can still read and change its own profile; null when it does not. */
            sign_in_refusal: components["schemas"]["SignInRefusal"] | null;
            /** The permissions of the caller in the current organization, by role and, for a token, scopes. `views:write` is for private views, `views:share` for shared ones, `views:manage` for those that others share, `owners:write` for making and removing owners, `installation:read` for checking the installation, in the organization that runs it. */
            permissions: components["schemas"]["PermissionCode"][];
        };
        ProfileUpdate: {
            /** The name that others see. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            /** The organization to work in. */
            organization_id?: string;
        };
        RecentPassword: {
            /** Your password: needed when you signed in more than 15 minutes ago. */
            password?: string;
        };
        RecoveryCodes: {
            /** Each code signs you in once without the authenticator. They are returned only this once. */
            recovery_codes: string[];
        };
        Report: {
            /** `rpt_…` */
            id: string;
            title: string;
            status: components["schemas"]["ReportStatus"];
            /** Why the report failed. */
            error: string | null;
            filters: components["schemas"]["ReportSelection"];
            template: components["schemas"]["ReportTemplate"];
            document: components["schemas"]["ReportDocumentControl"];
            /** The earlier report that figures are compared with; for a scheduled report, its last ready one. */
            compare_to: string | null;
            /** The figures of the snapshot; null until it is taken. */
            summary: components["schemas"]["ReportSummary"] | null;
            /** The SHA-256 of the snapshot, which its documents also name; null until it is taken, and in reports of earlier versions. `assay report verify` checks a document against it. */
            snapshot_sha256: string | null;
            created_by: components["schemas"]["UserReference"] | null;
            /** The scheduled report that created this report. */
            scheduled_report_id: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * When the snapshot was taken, or failed for the last time.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        ReportCreation: {
            /** The title on the cover. One line, without control or direction characters; blanks around it are removed. */
            title?: string;
            filters?: components["schemas"]["ReportFilters"];
            template?: components["schemas"]["ReportTemplate"];
            document?: components["schemas"]["ReportDocumentControlInput"];
            /** An earlier report, which must be ready: figures show their change since then, and the report lists what changed. */
            compare_to?: string | null;
        };
        ReportDelivery: {
            /** `rpt_…` */
            report_id: string;
            /**
             * Email address.
             */
            recipient: string;
            status: components["schemas"]["ReportDeliveryStatus"];
            /** How often it was tried, the successful attempt included. */
            attempts: number;
            /** Why the last attempt failed. */
            error: string | null;
            /**
             * When the report was created.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * When the mail server accepted the mail.
             * @example 2026-01-31T09:30:00Z
             */
            sent_at: string | null;
        };
        ReportDeliveryPage: {
            data: components["schemas"]["ReportDelivery"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * `pending`: not sent yet, or to be tried again; `failed`: no attempts are left.
         */
        ReportDeliveryStatus: "pending" | "sent" | "failed";
        /** With `format=json`: the head of the report, and its findings. */
        ReportDocument: {
            report: {
                [key: string]: unknown;
            };
            findings: {
                [key: string]: unknown;
            }[];
        };
        /** What the document says about itself, and how it looks. */
        ReportDocumentControl: {
            /** The version of the document, `1.0` by default. */
            version: string;
            state: components["schemas"]["ReportDocumentState"];
            /** Who wrote the document; by default, who created the report. */
            author: string | null;
            /** Who reviewed it. */
            reviewer: string | null;
            /** The people and groups who receive the document. */
            distribution: string[];
            /** Who may read it: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words. */
            classification: string | null;
            language: components["schemas"]["ReportLanguage"];
            paper: components["schemas"]["ReportPaper"];
            /** The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white. */
            accent_color: string | null;
            /** A line at the foot of each page. */
            footer: string | null;
            /** A section before the summary. Markdown. */
            foreword: string | null;
            /** A section after the findings. Markdown. */
            conclusion: string | null;
        };
        /** What the document says about itself, and how it looks. Members that are left out have their defaults. */
        ReportDocumentControlInput: {
            /** The version of the document, `1.0` by default. One line, without control or direction characters; blanks around it are removed. */
            version?: string;
            state?: components["schemas"]["ReportDocumentState"];
            /** Who wrote the document; by default, who created the report. One line, without control or direction characters; blanks around it are removed. */
            author?: string | null;
            /** Who reviewed it. One line, without control or direction characters; blanks around it are removed. */
            reviewer?: string | null;
            /** The people and groups who receive the document. */
            distribution?: string[];
            /** Who may read it: one of `TLP:CLEAR`, `TLP:GREEN`, `TLP:AMBER`, `TLP:AMBER+STRICT`, `TLP:RED`, or your own words. One line, without control or direction characters; blanks around it are removed. */
            classification?: string | null;
            language?: components["schemas"]["ReportLanguage"];
            paper?: components["schemas"]["ReportPaper"];
            /** The colour of headings and lines, `#rrggbb`, with a contrast of at least 4.5:1 on white. */
            accent_color?: string | null;
            /** A line at the foot of each page. One line, without control or direction characters; blanks around it are removed. */
            footer?: string | null;
            /** A section before the summary. Markdown. */
            foreword?: string | null;
            /** A section after the findings. Markdown. */
            conclusion?: string | null;
        };
        /**
         * `final` by default.
         */
        ReportDocumentState: "draft" | "final";
        /** The filters of `GET /findings`. Without filters, the report covers all findings. */
        ReportFilters: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][] | string;
            /** Any of these detection source types. */
            source?: string[] | string;
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][] | string;
            /** In any of these data sources (ids). */
            data_source?: string[] | string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[] | string;
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[] | string;
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][] | string;
            /** With any of these tags. */
            tag?: string[] | string;
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[] | string;
            /** Of any of these rules (ids). */
            rule?: string[] | string;
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[] | string;
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[] | string;
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[] | string;
            /** In any of these packages (names). */
            package?: string[] | string;
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][] | string;
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /**
             * First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        /**
         * Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`.
         */
        ReportFormat: "pdf" | "docx" | "csv" | "xlsx" | "json" | "sarif" | "sarif-github" | "ocsf";
        /**
         * `en` by default.
         */
        ReportLanguage: "en" | "de";
        ReportPage: {
            data: components["schemas"]["Report"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * `a4` by default.
         */
        ReportPaper: "a4" | "letter";
        /** The filters of the request. */
        ReportSelection: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][] | string;
            /** Any of these detection source types. */
            source?: string[] | string;
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][] | string;
            /** In any of these data sources (ids). */
            data_source?: string[] | string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[] | string;
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[] | string;
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][] | string;
            /** With any of these tags. */
            tag?: string[] | string;
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[] | string;
            /** Of any of these rules (ids). */
            rule?: string[] | string;
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[] | string;
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[] | string;
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[] | string;
            /** In any of these packages (names). */
            package?: string[] | string;
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][] | string;
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /**
             * First seen at or after this time.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        /**
         * `ready`: the snapshot is taken and never changes.
         */
        ReportStatus: "pending" | "ready" | "failed";
        ReportSummary: {
            total: number;
            by_severity: components["schemas"]["SeverityCounts"];
            by_status: components["schemas"]["StatusCounts"];
            /** Detection source types that have findings. */
            by_source: {
                [key: string]: number;
            };
            /** Data sources that have findings, the one with most open ones first. */
            by_data_source: components["schemas"]["DataSourceCount"][];
        };
        /**
         * What `pdf` and `docx` contain. `executive`: at most 6 pages besides your own sections; `audit`: one card per problem; `technical`: every finding in detail, the 2,000 most severe.
         */
        ReportTemplate: "executive" | "audit" | "technical";
        /**
         * From the lowest to the highest: each role may do everything that the ones before it may.
         */
        Role: "viewer" | "analyst" | "admin" | "owner";
        RuleCount: {
            id: string;
            name: string;
            open: number;
            total: number;
        };
        /** How the programs that the source starts are confined on the worker; of several workers, on the one that confines them least. Null when it starts none, or no worker has reported it. An extension. */
        Sandbox: {
            status: components["schemas"]["SandboxStatus"];
            kind: components["schemas"]["SandboxKind"] | null;
            /** Why they are not confined, or only in part. */
            reason: string | null;
        };
        /**
         * What confines them; null when nothing does.
         */
        SandboxKind: "bubblewrap" | "user_namespace";
        /**
         * `active`: they read and write only what they are given, and reach no network but the egress proxy; `partial`: as `reason` says; `none`: the machine does not allow it; `off`: the operator switched it off.
         */
        SandboxStatus: "active" | "partial" | "none" | "off";
        /** With `format=sarif`: a SARIF 2.1.0 log. */
        SarifLog: {
            version: string;
            runs: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        Scan: {
            /** `scan_…` */
            id: string;
            /** Type of the detection source. */
            source: string;
            status: components["schemas"]["ScanStatus"];
            trigger: components["schemas"]["ScanTrigger"];
            requested_by: components["schemas"]["UserReference"] | null;
            /** Ids of the data sources it was narrowed to; null for all that the source handles. */
            data_sources: string[] | null;
            progress: components["schemas"]["ScanProgress"];
            findings: components["schemas"]["ScanFindings"];
            /** Of a completed import: the open findings of its tools in its data source, before and after. Null for other scans. */
            by_severity: components["schemas"]["ScanSeverities"] | null;
            /** Of a completed import: how many findings of its tools in its data source it does not report, which stay closed because somebody decided (`false_positive` or `accepted_risk`). Null for other scans. */
            kept_closed: number | null;
            /** The versions of tools by detection source: of an import, as its file names them; otherwise of the program that ran. Empty while none is known. */
            tools: components["schemas"]["ScanTool"][];
            /** Targets that failed; nothing is closed there. */
            errors: components["schemas"]["ScanMessage"][];
            /** What a target that completed left out. */
            warnings: components["schemas"]["ScanMessage"][];
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            started_at: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        ScanFindings: {
            /** Seen for the first time. */
            new: number;
            /** Known and seen again. */
            seen: number;
            /** Came back after they had been resolved. */
            reopened: number;
            /** Gone. */
            resolved: number;
        };
        ScanMessage: {
            /** `ds_…` */
            data_source_id: string;
            data_source_name: string;
            message: string;
        };
        ScanPage: {
            data: components["schemas"]["Scan"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ScanProgress: {
            /** Data sources that it scans. */
            targets_total: number;
            /** How many of them have ended. */
            targets_done: number;
            percent: number;
            /** What it is doing. */
            message: string | null;
        };
        ScanSchedule: {
            /** `sch_…` */
            id: string;
            name: string;
            /** Type of the detection source. */
            source: string;
            /** The ids of the data sources; null for all that the source supports. */
            data_sources: string[] | null;
            cron: string;
            timezone: string;
            enabled: boolean;
            /**
             * The next due time; null while it is disabled.
             * @example 2026-01-31T09:30:00Z
             */
            next_run_at: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            last_run_at: string | null;
            /** The last scan that it started, or that was already running. */
            last_scan_id: string | null;
            /** Why the last due time started no scan. */
            last_error: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
        };
        ScanScheduleCreation: {
            /** The display name. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            /** The type of the detection source. */
            source: string;
            /** The ids of the data sources to scan; null for all that the source supports. */
            data_sources?: string[] | null;
            /** Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes. */
            cron: string;
            /** The IANA time zone of `cron`. */
            timezone?: string;
            /** Whether it runs when it is due. */
            enabled?: boolean;
        };
        ScanSchedulePage: {
            data: components["schemas"]["ScanSchedule"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ScanScheduleUpdate: {
            /** The display name. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            /** The type of the detection source. */
            source?: string;
            /** The ids of the data sources to scan; null for all that the source supports. */
            data_sources?: string[] | null;
            /** Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes. */
            cron?: string;
            /** The IANA time zone of `cron`. */
            timezone?: string;
            /** Whether it runs when it is due. */
            enabled?: boolean;
        };
        ScanSeverities: {
            before: components["schemas"]["SeverityCounts"];
            after: components["schemas"]["SeverityCounts"];
        };
        /**
         * `partial`: some targets failed, and `errors` names each; the others count.
         */
        ScanStatus: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
        ScanTarget: {
            data_source: components["schemas"]["DataSourceReference"];
            status: components["schemas"]["ScanTargetStatus"];
            progress: components["schemas"]["ScanTargetProgress"];
            /** Set while a running target waits for its next attempt, because its program was killed or its host was not reached; null otherwise. */
            retry: components["schemas"]["ScanTargetRetry"] | null;
            findings: components["schemas"]["ScanFindings"];
            /** Why the target failed. */
            errors: string[];
            /** What a completed target left out. */
            warnings: string[];
            /** Why no finding was closed here; null while the target is not done, and when findings were closed. */
            closed_nothing_because: components["schemas"]["ClosedNothing"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            started_at: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            completed_at: string | null;
        };
        ScanTargetPage: {
            data: components["schemas"]["ScanTarget"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ScanTargetProgress: {
            percent: number;
            /** What it is doing. */
            message: string | null;
        };
        ScanTargetRetry: {
            /** How often it has failed until now. */
            count: number;
            /** Why the last attempt failed. */
            reason: string;
            /**
             * When the next attempt begins, in UTC to the second; null while it runs.
             * @example 2026-01-31T09:30:00Z
             */
            at: string | null;
        };
        ScanTargetStatus: "queued" | "running" | "completed" | "failed" | "cancelled";
        ScanTool: {
            source: string;
            version: string;
        };
        ScanTrigger: "api" | "schedule" | "import";
        ScheduledReport: {
            /** `srp_…` */
            id: string;
            title: string;
            filters: components["schemas"]["ReportSelection"];
            format: components["schemas"]["ReportFormat"];
            template: components["schemas"]["ReportTemplate"];
            document: components["schemas"]["ReportDocumentControl"];
            recipients: string[];
            cron: string;
            timezone: string;
            enabled: boolean;
            /**
             * The next due time; null while it is disabled.
             * @example 2026-01-31T09:30:00Z
             */
            next_run_at: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            last_run_at: string | null;
            /** The last report that it created; null when that report is deleted. */
            last_report_id: string | null;
            /** Why the last due time created no report, why that report failed, or which of its mails are not sent yet and why. */
            last_error: string | null;
            /** The user on whose behalf it runs, and the meaning of `me` in the filters. */
            created_by: components["schemas"]["UserReference"] | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
        };
        ScheduledReportCreation: {
            /** The title on the cover. One line, without control or direction characters; blanks around it are removed. */
            title?: string;
            filters?: components["schemas"]["ReportFilters"];
            format?: components["schemas"]["ReportFormat"];
            template?: components["schemas"]["ReportTemplate"];
            document?: components["schemas"]["ReportDocumentControlInput"];
            /** Email addresses of members or other people. Each gets a separate email. */
            recipients: string[];
            /** Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes. */
            cron: string;
            /** The IANA time zone of `cron`. */
            timezone?: string;
            /** Whether it runs when it is due. */
            enabled?: boolean;
        };
        ScheduledReportPage: {
            data: components["schemas"]["ScheduledReport"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ScheduledReportUpdate: {
            /** The title on the cover. One line, without control or direction characters; blanks around it are removed. */
            title?: string;
            filters?: components["schemas"]["ReportFilters"];
            format?: components["schemas"]["ReportFormat"];
            template?: components["schemas"]["ReportTemplate"];
            document?: components["schemas"]["ReportDocumentControlInput"];
            /** Email addresses of members or other people. Each gets a separate email. */
            recipients?: string[];
            /** Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes. */
            cron?: string;
            /** The IANA time zone of `cron`. */
            timezone?: string;
            /** Whether it runs when it is due. */
            enabled?: boolean;
        };
        Scope: "findings:read" | "findings:write" | "scans:read" | "scans:write" | "reports:read" | "reports:write" | "sources:read" | "sources:write" | "organization:read" | "organization:write";
        /**
         * `all`: the source `secrets` also searches the other branches and the tags. Without it, only the branch to scan, with its history.
         */
        SearchedBranches: "all";
        Session: {
            /** `ses_…` */
            id: string;
            /** Whether this request uses this session. */
            is_current: boolean;
            /** The address from which the person signed in. */
            ip_address: string | null;
            /** The browser, as it names itself. */
            user_agent: string | null;
            /**
             * When the person signed in.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * The time of the last request, to the minute; null before the first.
             * @example 2026-01-31T09:30:00Z
             */
            last_active_at: string | null;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string;
        };
        SessionPage: {
            data: components["schemas"]["Session"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        Severity: "critical" | "high" | "medium" | "low" | "info";
        SeverityCounts: {
            critical: number;
            high: number;
            medium: number;
            low: number;
            info: number;
        };
        /**
         * With a leading `-`: any but this.
         */
        SeverityFilter: "critical" | "high" | "medium" | "low" | "info" | "-critical" | "-high" | "-medium" | "-low" | "-info";
        SignInCode: {
            /** The six digits of the authenticator. */
            code: string;
            /** True: this browser needs no code for 30 days. By default false. */
            trust_device?: boolean;
        };
        SignInOptions: {
            /** Whether mails are sent, and with them links for a new password. */
            password_reset: boolean;
            /** Whether passkeys work at this address: browsers offer none for an IP address. */
            passkeys: boolean;
            /** Null when it is not configured. */
            single_sign_on: components["schemas"]["SingleSignOnOption"] | null;
        };
        /** The conditions under which members and their tokens reach the organization. */
        SignInPolicy: {
            /** Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it. */
            second_factor: boolean;
            /** Whether only sessions by single sign-on are accepted. */
            single_sign_on: boolean;
            /** Whether sessions that were begun with a password, with or without a code, are accepted. */
            password: boolean;
            /** The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then. */
            token_longest_days: number | null;
            /** The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all. */
            allowed_addresses: string[];
        };
        /** The conditions under which members and their tokens reach the organization. */
        SignInPolicyInput: {
            /** Whether sessions need a second factor: a code of an authenticator, a recovery code, a passkey, or single sign-on, whose provider is responsible for it. */
            second_factor: boolean;
            /** Whether only sessions by single sign-on are accepted. */
            single_sign_on: boolean;
            /** Whether sessions that were begun with a password, with or without a code, are accepted. */
            password: boolean;
            /** The maximum life of API tokens, in days from their creation; null for no limit. Existing tokens that would live longer end then. */
            token_longest_days: number | null;
            /** The addresses and networks (`192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`) from which tokens and sessions are accepted; empty for all. */
            allowed_addresses: string[];
        };
        SignInRecoveryCode: {
            /** One of the recovery codes. Each works once. */
            code: string;
            /** True: this browser needs no code for 30 days. By default false. */
            trust_device?: boolean;
        };
        SignInRefusal: {
            code: string;
            message: string;
        };
        SignInRequest: {
            /**
             * Email address.
             */
            email: string;
            /** The password. */
            password: string;
            /** False: the session ends with the browser, and after a day. By default true. */
            remember_me?: boolean;
            /** The account, where several of the address have this password. */
            user_id?: string;
        };
        SignInResult: {
            status: components["schemas"]["SignInStatus"];
            /** The person; null until they are signed in. */
            user: components["schemas"]["SignedInPerson"] | null;
            /** The accounts to choose from, with `account_required` only. */
            accounts?: components["schemas"]["AccountChoice"][];
        };
        SignInSession: {
            /** The signed-in person; null without a session. */
            user: components["schemas"]["SignedInPerson"] | null;
            /**
             * When the session ends; null without one.
             * @example 2026-01-31T09:30:00Z
             */
            expires_at: string | null;
        };
        /**
         * `code_required`: the password is right, and a code of the second factor is needed. `account_required`: it is that of several accounts, and one must be chosen.
         */
        SignInStatus: "signed_in" | "code_required" | "account_required";
        SignedInPerson: {
            /** `usr_…` */
            id: string;
            name: string;
            /**
             * Email address.
             */
            email: string;
        };
        SingleSignOnOption: {
            /** What the operator calls it, for the button. */
            name: string;
        };
        SingleSignOnRequest: {
            /** The path of this server to go to afterwards; by default `/`. */
            redirect?: string;
        };
        SingleSignOnStart: {
            /** The address of the provider: send the browser there. */
            url: string;
        };
        StatusCounts: {
            new: number;
            triaged: number;
            in_progress: number;
            resolved: number;
            false_positive: number;
            accepted_risk: number;
        };
        /** The `config` to add it with. */
        SuggestedConfig: {
            /** The URL of the repository. */
            url: string;
        };
        Theme: "system" | "light" | "dark";
        TimelineEntry: {
            /** `his_…` of a change, `cmt_…` of a comment. */
            id: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            at: string;
            kind: components["schemas"]["TimelineEntryKind"];
            actor: components["schemas"]["ChangeActor"];
            /** Empty for a comment. */
            changes: components["schemas"]["FieldChange"][];
            /** Null for a change. */
            comment: components["schemas"]["FindingComment"] | null;
        };
        TimelineEntryKind: "change" | "comment";
        TimelineEntryPage: {
            data: components["schemas"]["TimelineEntry"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        TimetablePreview: {
            cron: string;
            timezone: string;
            /** The timetable in English. */
            description: string;
            /** The next due times; fewer than five if there are no more. */
            next_runs: string[];
        };
        TimetablePreviewRequest: {
            /** Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes. */
            cron: string;
            /** The IANA time zone of `cron`. */
            timezone?: string;
        };
        /** The number of requests that each API token of the organization may make. */
        TokenRateLimit: {
            requests_per_minute: number;
            burst_per_minute: number;
        };
        TwoFactorCode: {
            /** The six digits that the authenticator shows. */
            code: string;
        };
        TwoFactorRemoval: {
            /** Your password. */
            password: string;
            /** A code of your authenticator, or a recovery code: needed while a second factor is on. */
            code?: string;
            /** Whether your API tokens of all organizations are revoked too; by default they stay. */
            revoke_tokens?: boolean;
            /** Whether all your passkeys are removed too; by default they stay. */
            remove_passkeys?: boolean;
        };
        TwoFactorSetup: {
            /** The secret in base32, to type into an authenticator. */
            secret: string;
            /** The secret as `otpauth://` URI, to show as a QR code. */
            uri: string;
            /** Each code signs you in once without the authenticator. They are returned only this once. */
            recovery_codes: string[];
        };
        /** The configuration of an `upload`, which is empty. */
        UploadConfig: Record<string, never>;
        /** A `upload`. */
        UploadCreation: {
            /**
             * discriminator enum property added by openapi-typescript
             */
            kind: "upload";
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config?: components["schemas"]["UploadConfig"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        UserReference: {
            /** `usr_…` */
            id: string;
            name: string;
        };
        View: {
            /** `view_…` */
            id: string;
            name: string;
            /** Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`. */
            shared: boolean;
            filter: components["schemas"]["ViewFilter"];
            /** The order of the list; null for its default. `relevance` needs a filter with `q`. */
            sort: components["schemas"]["ViewSort"] | null;
            /** The columns to show, as members of a finding, in order; null for the default ones. */
            columns: string[] | null;
            /** Who made it; null when that person has left the organization. */
            owner: components["schemas"]["UserReference"] | null;
            /** Whether you may change and delete it. */
            editable: boolean;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            created_at: string;
            /**
             * UTC, to the second.
             * @example 2026-01-31T09:30:00Z
             */
            updated_at: string;
        };
        ViewCreation: {
            /** Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed. */
            name: string;
            /** Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`. */
            shared?: boolean;
            filter: components["schemas"]["ViewFilterInput"];
            /** The order of the list; null for its default. `relevance` needs a filter with `q`. */
            sort?: components["schemas"]["ViewSort"] | null;
            /** The columns to show, as members of a finding, in order; null for the default ones. */
            columns?: string[] | null;
        };
        /** Filters of the list of findings, several values as an array; `{}` selects all findings. */
        ViewFilter: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][];
            /** Any of these detection source types. */
            source?: string[];
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][];
            /** In any of these data sources (ids). */
            data_source?: string[];
            /**
             * First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[];
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[];
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][];
            /** With any of these tags. */
            tag?: string[];
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[];
            /** Of any of these rules (ids). */
            rule?: string[];
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[];
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[];
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[];
            /** In any of these packages (names). */
            package?: string[];
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][];
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        /** Filters of the list of findings, several values as an array; `{}` selects all findings. */
        ViewFilterInput: {
            /** Any of these severities. A leading `-` excludes one, here and in all lists. */
            severity?: components["schemas"]["SeverityFilter"][];
            /** Any of these detection source types. */
            source?: string[];
            /** Any of these statuses. */
            status?: components["schemas"]["FindingStatusFilter"][];
            /** In any of these data sources (ids). */
            data_source?: string[];
            /**
             * First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            from?: string;
            /**
             * First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            to?: string;
            /** In data sources with any of these tags. */
            data_source_tag?: string[];
            /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
            owner?: string[];
            /** In data sources of any of these criticalities. */
            criticality?: components["schemas"]["CriticalityFilter"][];
            /** With any of these tags. */
            tag?: string[];
            /** Assigned to any of these: an id, an email address, `me`, or `none`. */
            assignee?: string[];
            /** Of any of these rules (ids). */
            rule?: string[];
            /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
            rule_tag?: string[];
            /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
            identifier?: string[];
            /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
            path?: string[];
            /** In any of these packages (names). */
            package?: string[];
            /** Whether it came back after it was resolved. */
            reopened?: boolean;
            /**
             * Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            accepted_until_to?: string;
            /** Of this priority or a higher one. */
            priority_min?: number;
            /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
            kev?: boolean;
            /** With an EPSS score of at least this, 0 to 1. */
            epss_min?: number;
            /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
            context?: components["schemas"]["FindingContextFilter"][];
            /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
            unique?: boolean;
            /** Whether it should be fixed by now: its due date has passed. */
            overdue?: boolean;
            /**
             * Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            due_to?: string;
            /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
            q?: string;
            /**
             * Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_from?: string;
            /**
             * Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.
             * @example 2026-01-31T09:30:00Z
             */
            updated_to?: string;
        };
        ViewPage: {
            data: components["schemas"]["View"][];
            /** Give it as `next_cursor` to read on; null on the last page. */
            next_cursor: string | null;
        };
        ViewSort: "-first_seen_at" | "first_seen_at" | "-severity" | "updated_at" | "-updated_at" | "due_at" | "-priority" | "relevance";
        ViewUpdate: {
            /** Unique, case aside, among your private views or among the shared ones. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            /** Whether everybody in the organization sees the view. A private one is seen by its owner only. To share needs the role `analyst`. */
            shared?: boolean;
            filter?: components["schemas"]["ViewFilterInput"];
            /** The order of the list; null for its default. `relevance` needs a filter with `q`. */
            sort?: components["schemas"]["ViewSort"] | null;
            /** The columns to show, as members of a finding, in order; null for the default ones. */
            columns?: string[] | null;
        };
        /** The configuration of a `website`. */
        WebsiteConfig: {
            /** The URL of the website, in normal form. */
            url: string;
        };
        WebsiteConfigCreation: {
            /** http or https URL, without credentials. */
            url: string;
        };
        /** A `website`. */
        WebsiteCreation: {
            /**
             * discriminator enum property added by openapi-typescript
             */
            kind: "website";
            /** The name of the data source. By default it is derived from the address. One line, without control or direction characters; blanks around it are removed. */
            name?: string;
            config: components["schemas"]["WebsiteConfigCreation"];
            /** Words to group data sources by. They replace the tags it has; duplicates are removed, ignoring case. */
            tags?: string[];
            /** Who is responsible: id or email address of a member; null for nobody. */
            owner?: string | null;
            criticality?: components["schemas"]["Criticality"];
            exposure?: components["schemas"]["Exposure"];
        };
        /** The body of every failure. */
        ErrorBody: {
            error: components["schemas"]["ErrorContent"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptedInvitation = components['schemas']['AcceptedInvitation'];
export type AcceptedRiskPolicy = components['schemas']['AcceptedRiskPolicy'];
export type AcceptedRiskPolicyInput = components['schemas']['AcceptedRiskPolicyInput'];
export type AccountChoice = components['schemas']['AccountChoice'];
export type AccountJoin = components['schemas']['AccountJoin'];
export type AgeCount = components['schemas']['AgeCount'];
export type ApiToken = components['schemas']['ApiToken'];
export type ApiTokenCreation = components['schemas']['ApiTokenCreation'];
export type ApiTokenPage = components['schemas']['ApiTokenPage'];
export type ApiTokenReference = components['schemas']['ApiTokenReference'];
export type Assignee = components['schemas']['Assignee'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditActorType = components['schemas']['AuditActorType'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditEventPage = components['schemas']['AuditEventPage'];
export type AuditFormat = components['schemas']['AuditFormat'];
export type AuditTarget = components['schemas']['AuditTarget'];
export type BulkChange = components['schemas']['BulkChange'];
export type BulkOperation = components['schemas']['BulkOperation'];
export type BulkOperationFilter = components['schemas']['BulkOperationFilter'];
export type BulkOperationPage = components['schemas']['BulkOperationPage'];
export type BulkOperationStatus = components['schemas']['BulkOperationStatus'];
export type BulkUndo = components['schemas']['BulkUndo'];
export type ChangeActor = components['schemas']['ChangeActor'];
export type ChangeActorKind = components['schemas']['ChangeActorKind'];
export type CheckName = components['schemas']['CheckName'];
export type CheckState = components['schemas']['CheckState'];
export type ClosedNothing = components['schemas']['ClosedNothing'];
export type ClosedNothingCode = components['schemas']['ClosedNothingCode'];
export type ConfirmedEmail = components['schemas']['ConfirmedEmail'];
export type ConnectionCode = components['schemas']['ConnectionCode'];
export type ConnectionTest = components['schemas']['ConnectionTest'];
export type ContainerImageConfig = components['schemas']['ContainerImageConfig'];
export type ContainerImageConfigCreation = components['schemas']['ContainerImageConfigCreation'];
export type ContainerImageCreation = components['schemas']['ContainerImageCreation'];
export type Criticality = components['schemas']['Criticality'];
export type CriticalityFilter = components['schemas']['CriticalityFilter'];
export type DailyCount = components['schemas']['DailyCount'];
export type DailySeverityCounts = components['schemas']['DailySeverityCounts'];
export type DataSource = components['schemas']['DataSource'];
export type DataSourceConfigUpdate = components['schemas']['DataSourceConfigUpdate'];
export type DataSourceCount = components['schemas']['DataSourceCount'];
export type DataSourceCreation = components['schemas']['DataSourceCreation'];
export type DataSourceKind = components['schemas']['DataSourceKind'];
export type DataSourceOwner = components['schemas']['DataSourceOwner'];
export type DataSourcePage = components['schemas']['DataSourcePage'];
export type DataSourceReference = components['schemas']['DataSourceReference'];
export type DataSourceSort = components['schemas']['DataSourceSort'];
export type DataSourceStatus = components['schemas']['DataSourceStatus'];
export type DataSourceSuggestion = components['schemas']['DataSourceSuggestion'];
export type DataSourceSuggestionPage = components['schemas']['DataSourceSuggestionPage'];
export type DataSourceUpdate = components['schemas']['DataSourceUpdate'];
export type DaysByCriticality = components['schemas']['DaysByCriticality'];
export type DaysByCriticalityInput = components['schemas']['DaysByCriticalityInput'];
export type DaysToFix = components['schemas']['DaysToFix'];
export type DaysToFixInput = components['schemas']['DaysToFixInput'];
export type Density = components['schemas']['Density'];
export type DetectionSource = components['schemas']['DetectionSource'];
export type DetectionSourceMode = components['schemas']['DetectionSourceMode'];
export type DetectionSourcePage = components['schemas']['DetectionSourcePage'];
export type DetectionSourceStatus = components['schemas']['DetectionSourceStatus'];
export type EmailChange = components['schemas']['EmailChange'];
export type EmailConfirmation = components['schemas']['EmailConfirmation'];
export type ErrorContent = components['schemas']['ErrorContent'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ErrorPlace = components['schemas']['ErrorPlace'];
export type Exposure = components['schemas']['Exposure'];
export type Facet = components['schemas']['Facet'];
export type FacetField = components['schemas']['FacetField'];
export type FacetValue = components['schemas']['FacetValue'];
export type FailedSignIn = components['schemas']['FailedSignIn'];
export type FailedSignInMethod = components['schemas']['FailedSignInMethod'];
export type FailedSignInPage = components['schemas']['FailedSignInPage'];
export type FieldChange = components['schemas']['FieldChange'];
export type Finding = components['schemas']['Finding'];
export type FindingBulkUpdate = components['schemas']['FindingBulkUpdate'];
export type FindingBulkUpdateByFilter = components['schemas']['FindingBulkUpdateByFilter'];
export type FindingBulkUpdateByIds = components['schemas']['FindingBulkUpdateByIds'];
export type FindingBulkUpdateResult = components['schemas']['FindingBulkUpdateResult'];
export type FindingChange = components['schemas']['FindingChange'];
export type FindingChangePage = components['schemas']['FindingChangePage'];
export type FindingComment = components['schemas']['FindingComment'];
export type FindingCommentCreation = components['schemas']['FindingCommentCreation'];
export type FindingCommentPage = components['schemas']['FindingCommentPage'];
export type FindingCommentUpdate = components['schemas']['FindingCommentUpdate'];
export type FindingContext = components['schemas']['FindingContext'];
export type FindingContextFilter = components['schemas']['FindingContextFilter'];
export type FindingDetail = components['schemas']['FindingDetail'];
export type FindingExportFormat = components['schemas']['FindingExportFormat'];
export type FindingExportSort = components['schemas']['FindingExportSort'];
export type FindingFacets = components['schemas']['FindingFacets'];
export type FindingField = components['schemas']['FindingField'];
export type FindingFile = components['schemas']['FindingFile'];
export type FindingFilter = components['schemas']['FindingFilter'];
export type FindingGroup = components['schemas']['FindingGroup'];
export type FindingGroupPage = components['schemas']['FindingGroupPage'];
export type FindingGrouping = components['schemas']['FindingGrouping'];
export type FindingLocation = components['schemas']['FindingLocation'];
export type FindingPage = components['schemas']['FindingPage'];
export type FindingPlace = components['schemas']['FindingPlace'];
export type FindingResolution = components['schemas']['FindingResolution'];
export type FindingRule = components['schemas']['FindingRule'];
export type FindingSelection = components['schemas']['FindingSelection'];
export type FindingSelectionPage = components['schemas']['FindingSelectionPage'];
export type FindingSort = components['schemas']['FindingSort'];
export type FindingStatus = components['schemas']['FindingStatus'];
export type FindingStatusFilter = components['schemas']['FindingStatusFilter'];
export type FindingSummary = components['schemas']['FindingSummary'];
export type FindingUpdate = components['schemas']['FindingUpdate'];
export type FindingWithPlaces = components['schemas']['FindingWithPlaces'];
export type GitCredential = components['schemas']['GitCredential'];
export type GitRepositoryConfig = components['schemas']['GitRepositoryConfig'];
export type GitRepositoryConfigCreation = components['schemas']['GitRepositoryConfigCreation'];
export type GitRepositoryCreation = components['schemas']['GitRepositoryCreation'];
export type HostConfig = components['schemas']['HostConfig'];
export type HostConfigCreation = components['schemas']['HostConfigCreation'];
export type HostCreation = components['schemas']['HostCreation'];
export type ImportFormat = components['schemas']['ImportFormat'];
export type ImportPreview = components['schemas']['ImportPreview'];
export type ImportPreviewMissing = components['schemas']['ImportPreviewMissing'];
export type ImportPreviewSample = components['schemas']['ImportPreviewSample'];
export type Installation = components['schemas']['Installation'];
export type InstallationCheck = components['schemas']['InstallationCheck'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationAcceptance = components['schemas']['InvitationAcceptance'];
export type InvitationCreation = components['schemas']['InvitationCreation'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type InvitationPreview = components['schemas']['InvitationPreview'];
export type InvitationStatus = components['schemas']['InvitationStatus'];
export type JoinCode = components['schemas']['JoinCode'];
export type KnownRule = components['schemas']['KnownRule'];
export type KnownRulePage = components['schemas']['KnownRulePage'];
export type KnownTag = components['schemas']['KnownTag'];
export type KnownTagPage = components['schemas']['KnownTagPage'];
export type LastScan = components['schemas']['LastScan'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type Member = components['schemas']['Member'];
export type MemberPage = components['schemas']['MemberPage'];
export type MemberUpdate = components['schemas']['MemberUpdate'];
export type Membership = components['schemas']['Membership'];
export type NewApiToken = components['schemas']['NewApiToken'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type OcsfEvents = components['schemas']['OcsfEvents'];
export type OpenedAndClosed = components['schemas']['OpenedAndClosed'];
export type Organization = components['schemas']['Organization'];
export type OrganizationPlan = components['schemas']['OrganizationPlan'];
export type OrganizationUpdate = components['schemas']['OrganizationUpdate'];
export type OtherAccount = components['schemas']['OtherAccount'];
export type OtherAccounts = components['schemas']['OtherAccounts'];
export type PackageReference = components['schemas']['PackageReference'];
export type Passkey = components['schemas']['Passkey'];
export type PasskeyAlgorithm = components['schemas']['PasskeyAlgorithm'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type PasskeyAssertionResponse = components['schemas']['PasskeyAssertionResponse'];
export type PasskeyAttestation = components['schemas']['PasskeyAttestation'];
export type PasskeyAttestationResponse = components['schemas']['PasskeyAttestationResponse'];
export type PasskeyConfirmation = components['schemas']['PasskeyConfirmation'];
export type PasskeyCreation = components['schemas']['PasskeyCreation'];
export type PasskeyCreationOptions = components['schemas']['PasskeyCreationOptions'];
export type PasskeyDescriptor = components['schemas']['PasskeyDescriptor'];
export type PasskeyPage = components['schemas']['PasskeyPage'];
export type PasskeyRelyingParty = components['schemas']['PasskeyRelyingParty'];
export type PasskeyRequestOptions = components['schemas']['PasskeyRequestOptions'];
export type PasskeySignIn = components['schemas']['PasskeySignIn'];
export type PasskeyUpdate = components['schemas']['PasskeyUpdate'];
export type PasskeyUser = components['schemas']['PasskeyUser'];
export type PasswordChange = components['schemas']['PasswordChange'];
export type PasswordConfirmation = components['schemas']['PasswordConfirmation'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PermissionCode = components['schemas']['PermissionCode'];
export type Policy = components['schemas']['Policy'];
export type PolicyReplacement = components['schemas']['PolicyReplacement'];
export type Preferences = components['schemas']['Preferences'];
export type PreferencesInput = components['schemas']['PreferencesInput'];
export type PriorityReason = components['schemas']['PriorityReason'];
export type Profile = components['schemas']['Profile'];
export type ProfileUpdate = components['schemas']['ProfileUpdate'];
export type RecentPassword = components['schemas']['RecentPassword'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type Report = components['schemas']['Report'];
export type ReportCreation = components['schemas']['ReportCreation'];
export type ReportDelivery = components['schemas']['ReportDelivery'];
export type ReportDeliveryPage = components['schemas']['ReportDeliveryPage'];
export type ReportDeliveryStatus = components['schemas']['ReportDeliveryStatus'];
export type ReportDocument = components['schemas']['ReportDocument'];
export type ReportDocumentControl = components['schemas']['ReportDocumentControl'];
export type ReportDocumentControlInput = components['schemas']['ReportDocumentControlInput'];
export type ReportDocumentState = components['schemas']['ReportDocumentState'];
export type ReportFilters = components['schemas']['ReportFilters'];
export type ReportFormat = components['schemas']['ReportFormat'];
export type ReportLanguage = components['schemas']['ReportLanguage'];
export type ReportPage = components['schemas']['ReportPage'];
export type ReportPaper = components['schemas']['ReportPaper'];
export type ReportSelection = components['schemas']['ReportSelection'];
export type ReportStatus = components['schemas']['ReportStatus'];
export type ReportSummary = components['schemas']['ReportSummary'];
export type ReportTemplate = components['schemas']['ReportTemplate'];
export type Role = components['schemas']['Role'];
export type RuleCount = components['schemas']['RuleCount'];
export type Sandbox = components['schemas']['Sandbox'];
export type SandboxKind = components['schemas']['SandboxKind'];
export type SandboxStatus = components['schemas']['SandboxStatus'];
export type SarifLog = components['schemas']['SarifLog'];
export type Scan = components['schemas']['Scan'];
export type ScanFindings = components['schemas']['ScanFindings'];
export type ScanMessage = components['schemas']['ScanMessage'];
export type ScanPage = components['schemas']['ScanPage'];
export type ScanProgress = components['schemas']['ScanProgress'];
export type ScanSchedule = components['schemas']['ScanSchedule'];
export type ScanScheduleCreation = components['schemas']['ScanScheduleCreation'];
export type ScanSchedulePage = components['schemas']['ScanSchedulePage'];
export type ScanScheduleUpdate = components['schemas']['ScanScheduleUpdate'];
export type ScanSeverities = components['schemas']['ScanSeverities'];
export type ScanStatus = components['schemas']['ScanStatus'];
export type ScanTarget = components['schemas']['ScanTarget'];
export type ScanTargetPage = components['schemas']['ScanTargetPage'];
export type ScanTargetProgress = components['schemas']['ScanTargetProgress'];
export type ScanTargetRetry = components['schemas']['ScanTargetRetry'];
export type ScanTargetStatus = components['schemas']['ScanTargetStatus'];
export type ScanTool = components['schemas']['ScanTool'];
export type ScanTrigger = components['schemas']['ScanTrigger'];
export type ScheduledReport = components['schemas']['ScheduledReport'];
export type ScheduledReportCreation = components['schemas']['ScheduledReportCreation'];
export type ScheduledReportPage = components['schemas']['ScheduledReportPage'];
export type ScheduledReportUpdate = components['schemas']['ScheduledReportUpdate'];
export type Scope = components['schemas']['Scope'];
export type SearchedBranches = components['schemas']['SearchedBranches'];
export type Session = components['schemas']['Session'];
export type SessionPage = components['schemas']['SessionPage'];
export type Severity = components['schemas']['Severity'];
export type SeverityCounts = components['schemas']['SeverityCounts'];
export type SeverityFilter = components['schemas']['SeverityFilter'];
export type SignInCode = components['schemas']['SignInCode'];
export type SignInOptions = components['schemas']['SignInOptions'];
export type SignInPolicy = components['schemas']['SignInPolicy'];
export type SignInPolicyInput = components['schemas']['SignInPolicyInput'];
export type SignInRecoveryCode = components['schemas']['SignInRecoveryCode'];
export type SignInRefusal = components['schemas']['SignInRefusal'];
export type SignInRequest = components['schemas']['SignInRequest'];
export type SignInResult = components['schemas']['SignInResult'];
export type SignInSession = components['schemas']['SignInSession'];
export type SignInStatus = components['schemas']['SignInStatus'];
export type SignedInPerson = components['schemas']['SignedInPerson'];
export type SingleSignOnOption = components['schemas']['SingleSignOnOption'];
export type SingleSignOnRequest = components['schemas']['SingleSignOnRequest'];
export type SingleSignOnStart = components['schemas']['SingleSignOnStart'];
export type StatusCounts = components['schemas']['StatusCounts'];
export type SuggestedConfig = components['schemas']['SuggestedConfig'];
export type Theme = components['schemas']['Theme'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type TimelineEntryKind = components['schemas']['TimelineEntryKind'];
export type TimelineEntryPage = components['schemas']['TimelineEntryPage'];
export type TimetablePreview = components['schemas']['TimetablePreview'];
export type TimetablePreviewRequest = components['schemas']['TimetablePreviewRequest'];
export type TokenRateLimit = components['schemas']['TokenRateLimit'];
export type TwoFactorCode = components['schemas']['TwoFactorCode'];
export type TwoFactorRemoval = components['schemas']['TwoFactorRemoval'];
export type TwoFactorSetup = components['schemas']['TwoFactorSetup'];
export type UploadConfig = components['schemas']['UploadConfig'];
export type UploadCreation = components['schemas']['UploadCreation'];
export type UserReference = components['schemas']['UserReference'];
export type View = components['schemas']['View'];
export type ViewCreation = components['schemas']['ViewCreation'];
export type ViewFilter = components['schemas']['ViewFilter'];
export type ViewFilterInput = components['schemas']['ViewFilterInput'];
export type ViewPage = components['schemas']['ViewPage'];
export type ViewSort = components['schemas']['ViewSort'];
export type ViewUpdate = components['schemas']['ViewUpdate'];
export type WebsiteConfig = components['schemas']['WebsiteConfig'];
export type WebsiteConfigCreation = components['schemas']['WebsiteConfigCreation'];
export type WebsiteCreation = components['schemas']['WebsiteCreation'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type $defs = Record<string, never>;
export interface operations {
    listFindings: {
        parameters: {
            query?: {
                /** Any of these severities. A leading `-` excludes one, here and in all lists. */
                severity?: components["schemas"]["SeverityFilter"][];
                /** Any of these detection source types. */
                source?: string[];
                /** Any of these statuses. */
                status?: components["schemas"]["FindingStatusFilter"][];
                /** In any of these data sources (ids). */
                data_source?: string[];
                /** First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** In data sources with any of these tags. */
                data_source_tag?: string[];
                /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
                owner?: string[];
                /** In data sources of any of these criticalities. */
                criticality?: components["schemas"]["CriticalityFilter"][];
                /** With any of these tags. */
                tag?: string[];
                /** Assigned to any of these: an id, an email address, `me`, or `none`. */
                assignee?: string[];
                /** Of any of these rules (ids). */
                rule?: string[];
                /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
                rule_tag?: string[];
                /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
                identifier?: string[];
                /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
                path?: string[];
                /** In any of these packages (names). */
                package?: string[];
                /** Whether it came back after it was resolved. */
                reopened?: boolean;
                /** Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                accepted_until_to?: string;
                /** Of this priority or a higher one. */
                priority_min?: number;
                /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
                kev?: boolean;
                /** With an EPSS score of at least this, 0 to 1. */
                epss_min?: number;
                /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
                context?: components["schemas"]["FindingContextFilter"][];
                /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
                unique?: boolean;
                /** Whether it should be fixed by now: its due date has passed. */
                overdue?: boolean;
                /** Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                due_to?: string;
                /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
                q?: string;
                /** Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_from?: string;
                /** Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_to?: string;
                /** The order; `-` means descending. The default is `-first_seen_at`. With `due_at`, findings without a due date come last. With `updated_at`, a finding that changes while you read may be returned again, later and in its new state. With `-updated_at`, it moves to the front, which you have already read, and with `-severity`, `-priority` and `due_at`, a finding for which these change can be skipped or returned twice: use `updated_at` to miss no change. A finding loses its due date when it is closed, and gets one when it is reopened. `relevance` needs `q` and ranks its newest matches, at most 500: first those with `q` as an identifier or rule, then those with all its words in the title, then the others; of each the most severe first, and of these the newest. Where its words are frequent, the matches are those among the newest 20,000 findings that the other filters select. */
                sort?: components["schemas"]["FindingSort"];
                /** Return only these fields of each finding, and its `id`. Leaving out `description`, `evidence`, `remediation` and what else a scanner reported makes large pages faster. An extension. */
                fields?: components["schemas"]["FindingField"][];
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of findings; with `fields`, as `application/vnd.assay.fields+json`, with only these fields. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *           "title": "AWS access key in deploy/prod.env",
                     *           "description": "An AWS access key id and its secret give programmatic access to the account.",
                     *           "severity": "critical",
                     *           "status": "new",
                     *           "source": "secrets",
                     *           "data_source": {
                     *             "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *             "name": "payments-api",
                     *             "kind": "git_repository"
                     *           },
                     *           "rule": {
                     *             "id": "aws-access-token",
                     *             "name": "AWS access key",
                     *             "url": null,
                     *             "tags": [
                     *               "credentials"
                     *             ]
                     *           },
                     *           "location": {
                     *             "path": "deploy/prod.env",
                     *             "start_line": 3,
                     *             "end_line": 3,
                     *             "start_column": 19,
                     *             "end_column": 39,
                     *             "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
                     *             "url": null,
                     *             "package": null
                     *           },
                     *           "identifiers": [
                     *             "CWE-798"
                     *           ],
                     *           "cvss_score": null,
                     *           "evidence": "AWS_ACCESS_KEY_ID=AKIA…(redacted)",
                     *           "remediation": "Deactivate the key in IAM, make a new one, and read it from a secret store.",
                     *           "references": [
                     *             "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html"
                     *           ],
                     *           "tags": [
                     *             "pci"
                     *           ],
                     *           "assignee": null,
                     *           "fingerprint": "v1:Zk3s0Pq9T1u7bX5mC2dE4w",
                     *           "occurrences": 1,
                     *           "comment_count": 0,
                     *           "resolution": null,
                     *           "accepted_until": null,
                     *           "reopened_count": 0,
                     *           "first_seen_at": "2026-01-31T09:30:00Z",
                     *           "last_seen_at": "2026-02-01T02:00:07Z",
                     *           "updated_at": "2026-01-31T09:30:00Z",
                     *           "closed_at": null,
                     *           "context": null,
                     *           "priority": 82,
                     *           "priority_reasons": [
                     *             "data_source_high",
                     *             "public"
                     *           ],
                     *           "epss": null,
                     *           "epss_percentile": null,
                     *           "kev": null,
                     *           "due_at": "2026-02-03T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingPage"];
                    "application/vnd.assay.fields+json": components["schemas"]["FindingSelectionPage"];
                };
            };
        };
    };
    updateFindings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 256 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "rule": [
                 *           "generic-password"
                 *         ],
                 *         "status": [
                 *           "new"
                 *         ]
                 *       },
                 *       "status": "triaged",
                 *       "add_tags": [
                 *         "q3"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FindingBulkUpdate"];
            };
        };
        responses: {
            /** How many changed or, in a dry run, would. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 42,
                     *       "operation": {
                     *         "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "status": "completed",
                     *         "change": {
                     *           "status": "triaged",
                     *           "add_tags": [
                     *             "q3"
                     *           ]
                     *         },
                     *         "filter": {
                     *           "rule": [
                     *             "generic-password"
                     *           ],
                     *           "status": [
                     *             "new"
                     *           ]
                     *         },
                     *         "as_of": "2026-02-02T10:00:00Z",
                     *         "requested_by": {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "matched": 42,
                     *         "processed": 42,
                     *         "updated": 42,
                     *         "unchanged": 0,
                     *         "percent": 100,
                     *         "error": null,
                     *         "undoable_until": "2026-02-03T10:00:01Z",
                     *         "undo": null,
                     *         "created_at": "2026-02-02T10:00:00Z",
                     *         "completed_at": "2026-02-02T10:00:01Z"
                     *       },
                     *       "matched": 42,
                     *       "unchanged": 0,
                     *       "as_of": "2026-02-02T10:00:00Z",
                     *       "by_severity": null,
                     *       "by_status": null,
                     *       "samples": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingBulkUpdateResult"];
                };
            };
            /** A job updates the findings. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "updated": 0,
                     *       "operation": {
                     *         "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "status": "queued",
                     *         "change": {
                     *           "status": "triaged",
                     *           "add_tags": [
                     *             "q3"
                     *           ]
                     *         },
                     *         "filter": {
                     *           "rule": [
                     *             "generic-password"
                     *           ],
                     *           "status": [
                     *             "new"
                     *           ]
                     *         },
                     *         "as_of": "2026-02-02T10:00:00Z",
                     *         "requested_by": {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "matched": 14302,
                     *         "processed": 0,
                     *         "updated": 0,
                     *         "unchanged": 0,
                     *         "percent": 0,
                     *         "error": null,
                     *         "undoable_until": null,
                     *         "undo": null,
                     *         "created_at": "2026-02-02T10:00:00Z",
                     *         "completed_at": null
                     *       },
                     *       "matched": 14302,
                     *       "unchanged": 12,
                     *       "as_of": "2026-02-02T10:00:00Z",
                     *       "by_severity": null,
                     *       "by_status": null,
                     *       "samples": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingBulkUpdateResult"];
                };
            };
        };
    };
    summarizeFindings: {
        parameters: {
            query?: {
                /** Any of these severities. A leading `-` excludes one, here and in all lists. */
                severity?: components["schemas"]["SeverityFilter"][];
                /** Any of these detection source types. */
                source?: string[];
                /** Any of these statuses. */
                status?: components["schemas"]["FindingStatusFilter"][];
                /** In any of these data sources (ids). */
                data_source?: string[];
                /** First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** In data sources with any of these tags. */
                data_source_tag?: string[];
                /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
                owner?: string[];
                /** In data sources of any of these criticalities. */
                criticality?: components["schemas"]["CriticalityFilter"][];
                /** With any of these tags. */
                tag?: string[];
                /** Assigned to any of these: an id, an email address, `me`, or `none`. */
                assignee?: string[];
                /** Of any of these rules (ids). */
                rule?: string[];
                /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
                rule_tag?: string[];
                /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
                identifier?: string[];
                /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
                path?: string[];
                /** In any of these packages (names). */
                package?: string[];
                /** Whether it came back after it was resolved. */
                reopened?: boolean;
                /** Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                accepted_until_to?: string;
                /** Of this priority or a higher one. */
                priority_min?: number;
                /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
                kev?: boolean;
                /** With an EPSS score of at least this, 0 to 1. */
                epss_min?: number;
                /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
                context?: components["schemas"]["FindingContextFilter"][];
                /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
                unique?: boolean;
                /** Whether it should be fixed by now: its due date has passed. */
                overdue?: boolean;
                /** Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                due_to?: string;
                /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
                q?: string;
                /** Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_from?: string;
                /** Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_to?: string;
                /** Length of the daily series. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 4,
                     *       "open": 3,
                     *       "by_severity": {
                     *         "critical": 1,
                     *         "high": 3,
                     *         "medium": 0,
                     *         "low": 0,
                     *         "info": 0
                     *       },
                     *       "by_status": {
                     *         "new": 3,
                     *         "triaged": 0,
                     *         "in_progress": 0,
                     *         "resolved": 1,
                     *         "false_positive": 0,
                     *         "accepted_risk": 0
                     *       },
                     *       "by_source": {
                     *         "secrets": 4
                     *       },
                     *       "by_data_source": [
                     *         {
                     *           "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *           "name": "payments-api",
                     *           "open": 3,
                     *           "total": 4
                     *         }
                     *       ],
                     *       "by_rule": [
                     *         {
                     *           "id": "aws-access-token",
                     *           "name": "AWS access key",
                     *           "open": 3,
                     *           "total": 4
                     *         }
                     *       ],
                     *       "by_age": [
                     *         {
                     *           "up_to_days": 7,
                     *           "open": 0,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         },
                     *         {
                     *           "up_to_days": 30,
                     *           "open": 3,
                     *           "by_severity": {
                     *             "critical": 1,
                     *             "high": 2,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         },
                     *         {
                     *           "up_to_days": 90,
                     *           "open": 0,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         },
                     *         {
                     *           "up_to_days": 180,
                     *           "open": 0,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         },
                     *         {
                     *           "up_to_days": 365,
                     *           "open": 0,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         },
                     *         {
                     *           "up_to_days": null,
                     *           "open": 0,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           }
                     *         }
                     *       ],
                     *       "approximate": false,
                     *       "margin": 0,
                     *       "daily": [
                     *         {
                     *           "date": "2026-01-31",
                     *           "opened": 4,
                     *           "closed": 1,
                     *           "by_severity": {
                     *             "critical": {
                     *               "opened": 1,
                     *               "closed": 0
                     *             },
                     *             "high": {
                     *               "opened": 3,
                     *               "closed": 1
                     *             },
                     *             "medium": {
                     *               "opened": 0,
                     *               "closed": 0
                     *             },
                     *             "low": {
                     *               "opened": 0,
                     *               "closed": 0
                     *             },
                     *             "info": {
                     *               "opened": 0,
                     *               "closed": 0
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FindingSummary"];
                };
            };
        };
    };
    listFindingFacets: {
        parameters: {
            query: {
                /** Any of these severities. A leading `-` excludes one, here and in all lists. */
                severity?: components["schemas"]["SeverityFilter"][];
                /** Any of these detection source types. */
                source?: string[];
                /** Any of these statuses. */
                status?: components["schemas"]["FindingStatusFilter"][];
                /** In any of these data sources (ids). */
                data_source?: string[];
                /** First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** In data sources with any of these tags. */
                data_source_tag?: string[];
                /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
                owner?: string[];
                /** In data sources of any of these criticalities. */
                criticality?: components["schemas"]["CriticalityFilter"][];
                /** With any of these tags. */
                tag?: string[];
                /** Assigned to any of these: an id, an email address, `me`, or `none`. */
                assignee?: string[];
                /** Of any of these rules (ids). */
                rule?: string[];
                /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
                rule_tag?: string[];
                /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
                identifier?: string[];
                /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
                path?: string[];
                /** In any of these packages (names). */
                package?: string[];
                /** Whether it came back after it was resolved. */
                reopened?: boolean;
                /** Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                accepted_until_to?: string;
                /** Of this priority or a higher one. */
                priority_min?: number;
                /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
                kev?: boolean;
                /** With an EPSS score of at least this, 0 to 1. */
                epss_min?: number;
                /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
                context?: components["schemas"]["FindingContextFilter"][];
                /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
                unique?: boolean;
                /** Whether it should be fixed by now: its due date has passed. */
                overdue?: boolean;
                /** Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                due_to?: string;
                /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
                q?: string;
                /** Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_from?: string;
                /** Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_to?: string;
                /** The fields to count. */
                field: components["schemas"]["FacetField"][];
                /** Returns only values that contain this text, or whose name does. (`q` filters findings, as in the list.) */
                value_q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": 4,
                     *       "approximate": false,
                     *       "margin": 0,
                     *       "facets": [
                     *         {
                     *           "field": "data_source",
                     *           "approximate": false,
                     *           "margin": 0,
                     *           "more": false,
                     *           "values": [
                     *             {
                     *               "value": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *               "label": "payments-api",
                     *               "count": 4
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FindingFacets"];
                };
            };
        };
    };
    listFindingGroups: {
        parameters: {
            query: {
                /** Any of these severities. A leading `-` excludes one, here and in all lists. */
                severity?: components["schemas"]["SeverityFilter"][];
                /** Any of these detection source types. */
                source?: string[];
                /** Any of these statuses. */
                status?: components["schemas"]["FindingStatusFilter"][];
                /** In any of these data sources (ids). */
                data_source?: string[];
                /** First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** In data sources with any of these tags. */
                data_source_tag?: string[];
                /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
                owner?: string[];
                /** In data sources of any of these criticalities. */
                criticality?: components["schemas"]["CriticalityFilter"][];
                /** With any of these tags. */
                tag?: string[];
                /** Assigned to any of these: an id, an email address, `me`, or `none`. */
                assignee?: string[];
                /** Of any of these rules (ids). */
                rule?: string[];
                /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
                rule_tag?: string[];
                /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
                identifier?: string[];
                /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
                path?: string[];
                /** In any of these packages (names). */
                package?: string[];
                /** Whether it came back after it was resolved. */
                reopened?: boolean;
                /** Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                accepted_until_to?: string;
                /** Of this priority or a higher one. */
                priority_min?: number;
                /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
                kev?: boolean;
                /** With an EPSS score of at least this, 0 to 1. */
                epss_min?: number;
                /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
                context?: components["schemas"]["FindingContextFilter"][];
                /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
                unique?: boolean;
                /** Whether it should be fixed by now: its due date has passed. */
                overdue?: boolean;
                /** Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                due_to?: string;
                /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
                q?: string;
                /** Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_from?: string;
                /** Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_to?: string;
                /** What the findings of a group have in common. */
                by: components["schemas"]["FindingGrouping"];
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "value": "aws-access-token",
                     *           "label": "AWS access key",
                     *           "count": 4,
                     *           "by_severity": {
                     *             "critical": 1,
                     *             "high": 3,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0
                     *           },
                     *           "last_seen_at": "2026-02-01T02:00:07Z",
                     *           "approximate": false,
                     *           "margin": 0
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingGroupPage"];
                };
            };
        };
    };
    getFinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The finding. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *       "title": "AWS access key in deploy/prod.env",
                     *       "description": "An AWS access key id and its secret give programmatic access to the account.",
                     *       "severity": "critical",
                     *       "status": "new",
                     *       "source": "secrets",
                     *       "data_source": {
                     *         "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *         "name": "payments-api",
                     *         "kind": "git_repository"
                     *       },
                     *       "rule": {
                     *         "id": "aws-access-token",
                     *         "name": "AWS access key",
                     *         "url": null,
                     *         "tags": [
                     *           "credentials"
                     *         ]
                     *       },
                     *       "location": {
                     *         "path": "deploy/prod.env",
                     *         "start_line": 3,
                     *         "end_line": 3,
                     *         "start_column": 19,
                     *         "end_column": 39,
                     *         "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
                     *         "url": null,
                     *         "package": null
                     *       },
                     *       "identifiers": [
                     *         "CWE-798"
                     *       ],
                     *       "cvss_score": null,
                     *       "evidence": "AWS_ACCESS_KEY_ID=AKIA…(redacted)",
                     *       "remediation": "Deactivate the key in IAM, make a new one, and read it from a secret store.",
                     *       "references": [
                     *         "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html"
                     *       ],
                     *       "tags": [
                     *         "pci"
                     *       ],
                     *       "assignee": null,
                     *       "fingerprint": "v1:Zk3s0Pq9T1u7bX5mC2dE4w",
                     *       "occurrences": 1,
                     *       "comment_count": 0,
                     *       "resolution": null,
                     *       "accepted_until": null,
                     *       "reopened_count": 0,
                     *       "first_seen_at": "2026-01-31T09:30:00Z",
                     *       "last_seen_at": "2026-02-01T02:00:07Z",
                     *       "updated_at": "2026-01-31T09:30:00Z",
                     *       "closed_at": null,
                     *       "context": null,
                     *       "priority": 82,
                     *       "priority_reasons": [
                     *         "data_source_high",
                     *         "public"
                     *       ],
                     *       "epss": null,
                     *       "epss_percentile": null,
                     *       "kev": null,
                     *       "due_at": "2026-02-03T09:30:00Z",
                     *       "places": [
                     *         {
                     *           "path": "deploy/prod.env",
                     *           "start_line": 3,
                     *           "end_line": 3,
                     *           "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8"
                     *         }
                     *       ],
                     *       "related": [
                     *         "fnd_01jd3x8v6zewv8q6m1b2c3d4e6"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FindingDetail"];
                };
            };
        };
    };
    updateFinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 256 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "false_positive",
                 *       "comment": "A test fixture: the key was never live."
                 *     }
                 */
                "application/json": components["schemas"]["FindingUpdate"];
            };
        };
        responses: {
            /** The updated finding. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *       "title": "AWS access key in deploy/prod.env",
                     *       "description": "An AWS access key id and its secret give programmatic access to the account.",
                     *       "severity": "critical",
                     *       "status": "false_positive",
                     *       "source": "secrets",
                     *       "data_source": {
                     *         "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *         "name": "payments-api",
                     *         "kind": "git_repository"
                     *       },
                     *       "rule": {
                     *         "id": "aws-access-token",
                     *         "name": "AWS access key",
                     *         "url": null,
                     *         "tags": [
                     *           "credentials"
                     *         ]
                     *       },
                     *       "location": {
                     *         "path": "deploy/prod.env",
                     *         "start_line": 3,
                     *         "end_line": 3,
                     *         "start_column": 19,
                     *         "end_column": 39,
                     *         "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8",
                     *         "url": null,
                     *         "package": null
                     *       },
                     *       "identifiers": [
                     *         "CWE-798"
                     *       ],
                     *       "cvss_score": null,
                     *       "evidence": "AWS_ACCESS_KEY_ID=AKIA…(redacted)",
                     *       "remediation": "Deactivate the key in IAM, make a new one, and read it from a secret store.",
                     *       "references": [
                     *         "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html"
                     *       ],
                     *       "tags": [
                     *         "pci"
                     *       ],
                     *       "assignee": null,
                     *       "fingerprint": "v1:Zk3s0Pq9T1u7bX5mC2dE4w",
                     *       "occurrences": 1,
                     *       "comment_count": 1,
                     *       "resolution": null,
                     *       "accepted_until": null,
                     *       "reopened_count": 0,
                     *       "first_seen_at": "2026-01-31T09:30:00Z",
                     *       "last_seen_at": "2026-02-01T02:00:07Z",
                     *       "updated_at": "2026-01-31T09:30:00Z",
                     *       "closed_at": "2026-02-02T10:00:00Z",
                     *       "context": null,
                     *       "priority": 82,
                     *       "priority_reasons": [
                     *         "data_source_high",
                     *         "public"
                     *       ],
                     *       "epss": null,
                     *       "epss_percentile": null,
                     *       "kev": null,
                     *       "due_at": "2026-02-03T09:30:00Z",
                     *       "places": [
                     *         {
                     *           "path": "deploy/prod.env",
                     *           "start_line": 3,
                     *           "end_line": 3,
                     *           "commit": "9fceb02d0ae598e95dc970b74767f19372d61af8"
                     *         }
                     *       ],
                     *       "related": [
                     *         "fnd_01jd3x8v6zewv8q6m1b2c3d4e6"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FindingDetail"];
                };
            };
        };
    };
    listFindingComments: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of comments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "cmt_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *           "finding_id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *           "comment": "Key rotated, waiting for the deployment.",
                     *           "author": {
                     *             "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *             "name": "Sam Okafor"
                     *           },
                     *           "created_at": "2026-02-02T10:00:00Z",
                     *           "edited_at": null,
                     *           "deleted_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingCommentPage"];
                };
            };
        };
    };
    createFindingComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 128 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "Key rotated, waiting for the deployment."
                 *     }
                 */
                "application/json": components["schemas"]["FindingCommentCreation"];
            };
        };
        responses: {
            /** The comment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cmt_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *       "finding_id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *       "comment": "Key rotated, waiting for the deployment.",
                     *       "author": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "created_at": "2026-02-02T10:00:00Z",
                     *       "edited_at": null,
                     *       "deleted_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingComment"];
                };
            };
        };
    };
    deleteFindingComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
                /** `cmt_…` */
                comment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateFindingComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
                /** `cmt_…` */
                comment_id: string;
            };
            cookie?: never;
        };
        /** At most 128 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": "Key rotated and deployed."
                 *     }
                 */
                "application/json": components["schemas"]["FindingCommentUpdate"];
            };
        };
        responses: {
            /** The comment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cmt_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *       "finding_id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *       "comment": "Key rotated and deployed.",
                     *       "author": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "created_at": "2026-02-02T10:00:00Z",
                     *       "edited_at": "2026-02-02T11:00:00Z",
                     *       "deleted_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingComment"];
                };
            };
        };
    };
    listFindingHistory: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "his_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *           "at": "2026-02-02T10:00:00Z",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *             "name": "Sam Okafor"
                     *           },
                     *           "changes": [
                     *             {
                     *               "field": "status",
                     *               "from": "new",
                     *               "to": "triaged"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FindingChangePage"];
                };
            };
        };
    };
    listFindingTimeline: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `fnd_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "his_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *           "at": "2026-02-02T10:00:00Z",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *             "name": "Sam Okafor"
                     *           },
                     *           "changes": [
                     *             {
                     *               "field": "status",
                     *               "from": "new",
                     *               "to": "triaged"
                     *             }
                     *           ],
                     *           "kind": "change",
                     *           "comment": null
                     *         },
                     *         {
                     *           "id": "cmt_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *           "at": "2026-02-02T10:00:00Z",
                     *           "kind": "comment",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *             "name": "Sam Okafor"
                     *           },
                     *           "changes": [],
                     *           "comment": {
                     *             "id": "cmt_01jd3xbn4sf0a9w8e7r6t5y4v3",
                     *             "finding_id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *             "comment": "Key rotated, waiting for the deployment.",
                     *             "author": {
                     *               "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *               "name": "Sam Okafor"
                     *             },
                     *             "created_at": "2026-02-02T10:00:00Z",
                     *             "edited_at": null,
                     *             "deleted_at": null
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TimelineEntryPage"];
                };
            };
        };
    };
    listRules: {
        parameters: {
            query?: {
                /** Only those that contain this text, whatever its case. */
                q?: string;
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aws-access-token",
                     *           "name": "AWS access key",
                     *           "count": 4,
                     *           "approximate": false
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KnownRulePage"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** Only those that contain this text, whatever its case. */
                q?: string;
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of tags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "tag": "pci",
                     *           "count": 4,
                     *           "approximate": false
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KnownTagPage"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days_to_fix": {
                     *         "critical": {
                     *           "low": 30,
                     *           "medium": 15,
                     *           "high": 7,
                     *           "critical": 3
                     *         },
                     *         "high": {
                     *           "low": 60,
                     *           "medium": 30,
                     *           "high": 15,
                     *           "critical": 7
                     *         },
                     *         "medium": {
                     *           "low": 180,
                     *           "medium": 90,
                     *           "high": 60,
                     *           "critical": 30
                     *         },
                     *         "low": {
                     *           "low": 365,
                     *           "medium": 180,
                     *           "high": 120,
                     *           "critical": 90
                     *         },
                     *         "info": {
                     *           "low": null,
                     *           "medium": null,
                     *           "high": null,
                     *           "critical": null
                     *         }
                     *       },
                     *       "test_grace_days": 30,
                     *       "accepted_risk": {
                     *         "max_days": null,
                     *         "reason_required": false
                     *       },
                     *       "sign_in": {
                     *         "second_factor": false,
                     *         "single_sign_on": false,
                     *         "password": true,
                     *         "token_longest_days": null,
                     *         "allowed_addresses": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    replacePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days_to_fix": {
                 *         "critical": {
                 *           "low": 30,
                 *           "medium": 15,
                 *           "high": 7,
                 *           "critical": 3
                 *         },
                 *         "high": {
                 *           "low": 60,
                 *           "medium": 30,
                 *           "high": 15,
                 *           "critical": 7
                 *         },
                 *         "medium": {
                 *           "low": 180,
                 *           "medium": 90,
                 *           "high": 60,
                 *           "critical": 30
                 *         },
                 *         "low": {
                 *           "low": 365,
                 *           "medium": 180,
                 *           "high": 120,
                 *           "critical": 90
                 *         },
                 *         "info": {
                 *           "low": null,
                 *           "medium": null,
                 *           "high": null,
                 *           "critical": null
                 *         }
                 *       },
                 *       "test_grace_days": 30,
                 *       "accepted_risk": {
                 *         "max_days": null,
                 *         "reason_required": false
                 *       },
                 *       "sign_in": {
                 *         "second_factor": false,
                 *         "single_sign_on": false,
                 *         "password": true,
                 *         "token_longest_days": null,
                 *         "allowed_addresses": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PolicyReplacement"];
            };
        };
        responses: {
            /** The new policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days_to_fix": {
                     *         "critical": {
                     *           "low": 30,
                     *           "medium": 15,
                     *           "high": 7,
                     *           "critical": 3
                     *         },
                     *         "high": {
                     *           "low": 60,
                     *           "medium": 30,
                     *           "high": 15,
                     *           "critical": 7
                     *         },
                     *         "medium": {
                     *           "low": 180,
                     *           "medium": 90,
                     *           "high": 60,
                     *           "critical": 30
                     *         },
                     *         "low": {
                     *           "low": 365,
                     *           "medium": 180,
                     *           "high": 120,
                     *           "critical": 90
                     *         },
                     *         "info": {
                     *           "low": null,
                     *           "medium": null,
                     *           "high": null,
                     *           "critical": null
                     *         }
                     *       },
                     *       "test_grace_days": 30,
                     *       "accepted_risk": {
                     *         "max_days": null,
                     *         "reason_required": false
                     *       },
                     *       "sign_in": {
                     *         "second_factor": false,
                     *         "single_sign_on": false,
                     *         "password": true,
                     *         "token_longest_days": null,
                     *         "allowed_addresses": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    listBulkOperations: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of bulk operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "status": "completed",
                     *           "change": {
                     *             "status": "triaged",
                     *             "add_tags": [
                     *               "q3"
                     *             ]
                     *           },
                     *           "filter": {
                     *             "rule": [
                     *               "generic-password"
                     *             ],
                     *             "status": [
                     *               "new"
                     *             ]
                     *           },
                     *           "as_of": "2026-02-02T10:00:00Z",
                     *           "requested_by": {
                     *             "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "matched": 42,
                     *           "processed": 42,
                     *           "updated": 42,
                     *           "unchanged": 0,
                     *           "percent": 100,
                     *           "error": null,
                     *           "undoable_until": "2026-02-03T10:00:01Z",
                     *           "undo": null,
                     *           "created_at": "2026-02-02T10:00:00Z",
                     *           "completed_at": "2026-02-02T10:00:01Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperationPage"];
                };
            };
        };
    };
    getBulkOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `bulk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "status": "completed",
                     *       "change": {
                     *         "status": "triaged",
                     *         "add_tags": [
                     *           "q3"
                     *         ]
                     *       },
                     *       "filter": {
                     *         "rule": [
                     *           "generic-password"
                     *         ],
                     *         "status": [
                     *           "new"
                     *         ]
                     *       },
                     *       "as_of": "2026-02-02T10:00:00Z",
                     *       "requested_by": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "matched": 42,
                     *       "processed": 42,
                     *       "updated": 42,
                     *       "unchanged": 0,
                     *       "percent": 100,
                     *       "error": null,
                     *       "undoable_until": "2026-02-03T10:00:01Z",
                     *       "undo": null,
                     *       "created_at": "2026-02-02T10:00:00Z",
                     *       "completed_at": "2026-02-02T10:00:01Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
        };
    };
    undoBulkOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `bulk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is undone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "status": "undone",
                     *       "change": {
                     *         "status": "triaged",
                     *         "add_tags": [
                     *           "q3"
                     *         ]
                     *       },
                     *       "filter": {
                     *         "rule": [
                     *           "generic-password"
                     *         ],
                     *         "status": [
                     *           "new"
                     *         ]
                     *       },
                     *       "as_of": "2026-02-02T10:00:00Z",
                     *       "requested_by": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "matched": 42,
                     *       "processed": 42,
                     *       "updated": 42,
                     *       "unchanged": 0,
                     *       "percent": 100,
                     *       "error": null,
                     *       "undoable_until": null,
                     *       "undo": {
                     *         "requested_by": {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "restored": 41,
                     *         "passed_over": 1,
                     *         "completed_at": "2026-02-02T11:00:00Z"
                     *       },
                     *       "created_at": "2026-02-02T10:00:00Z",
                     *       "completed_at": "2026-02-02T10:00:01Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** A job restores the findings. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bulk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "status": "undoing",
                     *       "change": {
                     *         "status": "triaged",
                     *         "add_tags": [
                     *           "q3"
                     *         ]
                     *       },
                     *       "filter": {
                     *         "rule": [
                     *           "generic-password"
                     *         ],
                     *         "status": [
                     *           "new"
                     *         ]
                     *       },
                     *       "as_of": "2026-02-02T10:00:00Z",
                     *       "requested_by": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "matched": 42,
                     *       "processed": 42,
                     *       "updated": 42,
                     *       "unchanged": 0,
                     *       "percent": 0,
                     *       "error": null,
                     *       "undoable_until": null,
                     *       "undo": {
                     *         "requested_by": {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "restored": 0,
                     *         "passed_over": 0,
                     *         "completed_at": null
                     *       },
                     *       "created_at": "2026-02-02T10:00:00Z",
                     *       "completed_at": "2026-02-02T10:00:01Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "view_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Needs triage",
                     *           "shared": true,
                     *           "filter": {
                     *             "status": [
                     *               "new"
                     *             ],
                     *             "severity": [
                     *               "critical",
                     *               "high"
                     *             ]
                     *           },
                     *           "sort": "-severity",
                     *           "columns": [
                     *             "severity",
                     *             "title",
                     *             "data_source",
                     *             "first_seen_at"
                     *           ],
                     *           "owner": {
                     *             "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "editable": true,
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "updated_at": "2026-01-31T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Needs triage",
                 *       "filter": {
                 *         "status": [
                 *           "new"
                 *         ],
                 *         "severity": [
                 *           "critical",
                 *           "high"
                 *         ]
                 *       },
                 *       "sort": "-severity"
                 *     }
                 */
                "application/json": components["schemas"]["ViewCreation"];
            };
        };
        responses: {
            /** The new view. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "view_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Needs triage",
                     *       "shared": true,
                     *       "filter": {
                     *         "status": [
                     *           "new"
                     *         ],
                     *         "severity": [
                     *           "critical",
                     *           "high"
                     *         ]
                     *       },
                     *       "sort": "-severity",
                     *       "columns": [
                     *         "severity",
                     *         "title",
                     *         "data_source",
                     *         "first_seen_at"
                     *       ],
                     *       "owner": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "editable": true,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "updated_at": "2026-01-31T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `view_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The view is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `view_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Urgent",
                 *       "filter": {
                 *         "severity": [
                 *           "critical"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ViewUpdate"];
            };
        };
        responses: {
            /** The changed view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "view_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Urgent",
                     *       "shared": true,
                     *       "filter": {
                     *         "severity": [
                     *           "critical"
                     *         ]
                     *       },
                     *       "sort": "-severity",
                     *       "columns": [
                     *         "severity",
                     *         "title",
                     *         "data_source",
                     *         "first_seen_at"
                     *       ],
                     *       "owner": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "editable": true,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "updated_at": "2026-01-31T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    listDetectionSources: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of detection sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "secrets",
                     *           "name": "Secrets",
                     *           "description": "Credentials in the files, the history and the commit messages of git repositories.",
                     *           "mode": "scan",
                     *           "status": "connected",
                     *           "status_reason": null,
                     *           "version": "1.0.0",
                     *           "install_command": null,
                     *           "sandbox": {
                     *             "status": "active",
                     *             "kind": "bubblewrap",
                     *             "reason": null
                     *           },
                     *           "data_source_kinds": [
                     *             "git_repository"
                     *           ],
                     *           "open_findings": 12,
                     *           "last_scan": {
                     *             "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *             "status": "completed",
                     *             "completed_at": "2026-02-01T02:00:07Z"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DetectionSourcePage"];
                };
            };
        };
    };
    startScan: {
        parameters: {
            query?: {
                /** Scan only this data source (id). An extension. */
                data_source?: string;
            };
            header?: never;
            path: {
                /** Type of the detection source. */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The scan. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "source": "secrets",
                     *       "status": "queued",
                     *       "trigger": "api",
                     *       "requested_by": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "data_sources": null,
                     *       "progress": {
                     *         "targets_total": 4,
                     *         "targets_done": 0,
                     *         "percent": 0,
                     *         "message": null
                     *       },
                     *       "findings": {
                     *         "new": 0,
                     *         "seen": 0,
                     *         "reopened": 0,
                     *         "resolved": 0
                     *       },
                     *       "by_severity": null,
                     *       "kept_closed": null,
                     *       "tools": [],
                     *       "errors": [],
                     *       "warnings": [],
                     *       "created_at": "2026-02-01T02:00:00Z",
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** By any of these detection sources. */
                source?: string[];
                /** In any of these statuses. */
                status?: components["schemas"]["ScanStatus"][];
                /** Of any of these data sources (ids). */
                data_source?: string[];
                /** Created at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                created_from?: string;
                /** Created at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                created_to?: string;
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of scans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *           "source": "secrets",
                     *           "status": "completed",
                     *           "trigger": "api",
                     *           "requested_by": {
                     *             "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *             "name": "Sam Okafor"
                     *           },
                     *           "data_sources": null,
                     *           "progress": {
                     *             "targets_total": 4,
                     *             "targets_done": 4,
                     *             "percent": 100,
                     *             "message": null
                     *           },
                     *           "findings": {
                     *             "new": 3,
                     *             "seen": 20,
                     *             "reopened": 1,
                     *             "resolved": 2
                     *           },
                     *           "by_severity": null,
                     *           "kept_closed": null,
                     *           "tools": [
                     *             {
                     *               "source": "secrets",
                     *               "version": "1.0.0"
                     *             }
                     *           ],
                     *           "errors": [],
                     *           "warnings": [],
                     *           "created_at": "2026-02-01T02:00:00Z",
                     *           "started_at": "2026-02-01T02:00:01Z",
                     *           "completed_at": "2026-02-01T02:00:07Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `scan_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The scan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "source": "secrets",
                     *       "status": "completed",
                     *       "trigger": "api",
                     *       "requested_by": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "data_sources": null,
                     *       "progress": {
                     *         "targets_total": 4,
                     *         "targets_done": 4,
                     *         "percent": 100,
                     *         "message": null
                     *       },
                     *       "findings": {
                     *         "new": 3,
                     *         "seen": 20,
                     *         "reopened": 1,
                     *         "resolved": 2
                     *       },
                     *       "by_severity": null,
                     *       "kept_closed": null,
                     *       "tools": [
                     *         {
                     *           "source": "secrets",
                     *           "version": "1.0.0"
                     *         }
                     *       ],
                     *       "errors": [],
                     *       "warnings": [],
                     *       "created_at": "2026-02-01T02:00:00Z",
                     *       "started_at": "2026-02-01T02:00:01Z",
                     *       "completed_at": "2026-02-01T02:00:07Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
        };
    };
    listScanTargets: {
        parameters: {
            query?: {
                /** In any of these statuses. */
                status?: components["schemas"]["ScanTargetStatus"][];
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `scan_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of targets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "data_source": {
                     *             "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *             "name": "payments-api",
                     *             "kind": "git_repository"
                     *           },
                     *           "status": "completed",
                     *           "progress": {
                     *             "percent": 100,
                     *             "message": null
                     *           },
                     *           "retry": null,
                     *           "findings": {
                     *             "new": 3,
                     *             "seen": 20,
                     *             "reopened": 1,
                     *             "resolved": 0
                     *           },
                     *           "errors": [],
                     *           "warnings": [],
                     *           "closed_nothing_because": {
                     *             "code": "nothing_missing",
                     *             "message": "Everything that was open before was seen again."
                     *           },
                     *           "started_at": "2026-02-01T02:00:01Z",
                     *           "completed_at": "2026-02-01T02:00:07Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScanTargetPage"];
                };
            };
        };
    };
    cancelScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `scan_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The cancelled scan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "source": "secrets",
                     *       "status": "cancelled",
                     *       "trigger": "api",
                     *       "requested_by": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "data_sources": null,
                     *       "progress": {
                     *         "targets_total": 4,
                     *         "targets_done": 0,
                     *         "percent": 0,
                     *         "message": null
                     *       },
                     *       "findings": {
                     *         "new": 0,
                     *         "seen": 0,
                     *         "reopened": 0,
                     *         "resolved": 0
                     *       },
                     *       "by_severity": null,
                     *       "kept_closed": null,
                     *       "tools": [],
                     *       "errors": [],
                     *       "warnings": [],
                     *       "created_at": "2026-02-01T02:00:00Z",
                     *       "started_at": null,
                     *       "completed_at": "2026-02-01T02:00:03Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
        };
    };
    streamScanEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `scan_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    importResults: {
        parameters: {
            query?: {
                /** The format of the file; detected when not given. */
                format?: components["schemas"]["ImportFormat"];
                /** The tool that wrote the file, for one that does not say so or says another: its results belong to the detection source of this name. Refused for a file with results of several tools. */
                tool?: string;
                /** Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`. */
                close_missing?: boolean;
                /** Only return what the import would do (200): nothing is written. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** `ds_…`, of any kind. */
                id: string;
            };
            cookie?: never;
        };
        /** The result file, compressed with gzip or not. Any content type is accepted. */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** What the import would do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "trivy",
                     *       "sources": [
                     *         "trivy"
                     *       ],
                     *       "results": 24,
                     *       "suppressed": 0,
                     *       "findings": {
                     *         "new": 3,
                     *         "seen": 20,
                     *         "reopened": 1,
                     *         "resolved": 0
                     *       },
                     *       "missing": {
                     *         "count": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0
                     *         },
                     *         "samples": [
                     *           {
                     *             "id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *             "title": "CVE-2021-23337 in lodash",
                     *             "severity": "high"
                     *           }
                     *         ]
                     *       },
                     *       "incomplete": [],
                     *       "cut": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            /** The scan that merges it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "source": "trivy",
                     *       "status": "queued",
                     *       "trigger": "import",
                     *       "requested_by": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "data_sources": [
                     *         "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                     *       ],
                     *       "progress": {
                     *         "targets_total": 4,
                     *         "targets_done": 0,
                     *         "percent": 0,
                     *         "message": null
                     *       },
                     *       "findings": {
                     *         "new": 0,
                     *         "seen": 0,
                     *         "reopened": 0,
                     *         "resolved": 0
                     *       },
                     *       "by_severity": null,
                     *       "kept_closed": null,
                     *       "tools": [],
                     *       "errors": [],
                     *       "warnings": [],
                     *       "created_at": "2026-02-01T02:00:00Z",
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
        };
    };
    importResultsByName: {
        parameters: {
            query: {
                /** The name of an `upload` data source. One line, without control or direction characters; blanks around it are removed. */
                data_source_name: string;
                /** The format of the file; detected when not given. */
                format?: components["schemas"]["ImportFormat"];
                /** The tool that wrote the file, for one that does not say so or says another: its results belong to the detection source of this name. Refused for a file with results of several tools. */
                tool?: string;
                /** Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`. */
                close_missing?: boolean;
                /** Only return what the import would do (200): nothing is written. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The result file, compressed with gzip or not. Any content type is accepted. */
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** What the import would do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "trivy",
                     *       "sources": [
                     *         "trivy"
                     *       ],
                     *       "results": 24,
                     *       "suppressed": 0,
                     *       "findings": {
                     *         "new": 3,
                     *         "seen": 20,
                     *         "reopened": 1,
                     *         "resolved": 0
                     *       },
                     *       "missing": {
                     *         "count": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0
                     *         },
                     *         "samples": [
                     *           {
                     *             "id": "fnd_01jd3x8v6zewv8q6m1b2c3d4e5",
                     *             "title": "CVE-2021-23337 in lodash",
                     *             "severity": "high"
                     *           }
                     *         ]
                     *       },
                     *       "incomplete": [],
                     *       "cut": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            /** The scan that merges it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "source": "trivy",
                     *       "status": "queued",
                     *       "trigger": "import",
                     *       "requested_by": {
                     *         "id": "usr_01jd3x5m6n7p8q9r0s1t2v3w4x",
                     *         "name": "Sam Okafor"
                     *       },
                     *       "data_sources": [
                     *         "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                     *       ],
                     *       "progress": {
                     *         "targets_total": 4,
                     *         "targets_done": 0,
                     *         "percent": 0,
                     *         "message": null
                     *       },
                     *       "findings": {
                     *         "new": 0,
                     *         "seen": 0,
                     *         "reopened": 0,
                     *         "resolved": 0
                     *       },
                     *       "by_severity": null,
                     *       "kept_closed": null,
                     *       "tools": [],
                     *       "errors": [],
                     *       "warnings": [],
                     *       "created_at": "2026-02-01T02:00:00Z",
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of reports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *           "title": "Open findings of payments",
                     *           "status": "ready",
                     *           "error": null,
                     *           "filters": {
                     *             "status": [
                     *               "new",
                     *               "triaged",
                     *               "in_progress"
                     *             ],
                     *             "data_source": [
                     *               "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                     *             ]
                     *           },
                     *           "template": "audit",
                     *           "document": {
                     *             "version": "1.0",
                     *             "state": "final",
                     *             "author": "Ada Lovelace",
                     *             "reviewer": "Grace Hopper",
                     *             "distribution": [
                     *               "Board of Example Industries",
                     *               "Internal audit"
                     *             ],
                     *             "classification": "TLP:AMBER",
                     *             "language": "en",
                     *             "paper": "a4",
                     *             "accent_color": null,
                     *             "footer": null,
                     *             "foreword": null,
                     *             "conclusion": null
                     *           },
                     *           "compare_to": null,
                     *           "summary": {
                     *             "total": 3,
                     *             "by_severity": {
                     *               "critical": 1,
                     *               "high": 2,
                     *               "medium": 0,
                     *               "low": 0,
                     *               "info": 0
                     *             },
                     *             "by_status": {
                     *               "new": 3,
                     *               "triaged": 0,
                     *               "in_progress": 0,
                     *               "resolved": 0,
                     *               "false_positive": 0,
                     *               "accepted_risk": 0
                     *             },
                     *             "by_source": {
                     *               "secrets": 3
                     *             },
                     *             "by_data_source": [
                     *               {
                     *                 "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *                 "name": "payments-api",
                     *                 "open": 3,
                     *                 "total": 3
                     *               }
                     *             ]
                     *           },
                     *           "snapshot_sha256": "6f1ed002ab5595859014ebf0951522d9c5b0d5d1c7a7ab4a5ac9d5d0a1d3f0ab",
                     *           "created_by": {
                     *             "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "scheduled_report_id": null,
                     *           "created_at": "2026-02-01T09:30:00Z",
                     *           "completed_at": "2026-02-01T09:30:01Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 128 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Open findings of payments",
                 *       "filters": {
                 *         "status": [
                 *           "new",
                 *           "triaged",
                 *           "in_progress"
                 *         ],
                 *         "data_source": [
                 *           "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ReportCreation"];
            };
        };
        responses: {
            /** The pending report. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *       "title": "Open findings of payments",
                     *       "status": "pending",
                     *       "error": null,
                     *       "filters": {
                     *         "status": [
                     *           "new",
                     *           "triaged",
                     *           "in_progress"
                     *         ],
                     *         "data_source": [
                     *           "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                     *         ]
                     *       },
                     *       "template": "audit",
                     *       "document": {
                     *         "version": "1.0",
                     *         "state": "final",
                     *         "author": "Ada Lovelace",
                     *         "reviewer": "Grace Hopper",
                     *         "distribution": [
                     *           "Board of Example Industries",
                     *           "Internal audit"
                     *         ],
                     *         "classification": "TLP:AMBER",
                     *         "language": "en",
                     *         "paper": "a4",
                     *         "accent_color": null,
                     *         "footer": null,
                     *         "foreword": null,
                     *         "conclusion": null
                     *       },
                     *       "compare_to": null,
                     *       "summary": null,
                     *       "snapshot_sha256": null,
                     *       "created_by": {
                     *         "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "scheduled_report_id": null,
                     *       "created_at": "2026-02-01T09:30:00Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `rpt_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *       "title": "Open findings of payments",
                     *       "status": "ready",
                     *       "error": null,
                     *       "filters": {
                     *         "status": [
                     *           "new",
                     *           "triaged",
                     *           "in_progress"
                     *         ],
                     *         "data_source": [
                     *           "ds_01jd3x7k2pfr6v0t9y8n7m6k5j"
                     *         ]
                     *       },
                     *       "template": "audit",
                     *       "document": {
                     *         "version": "1.0",
                     *         "state": "final",
                     *         "author": "Ada Lovelace",
                     *         "reviewer": "Grace Hopper",
                     *         "distribution": [
                     *           "Board of Example Industries",
                     *           "Internal audit"
                     *         ],
                     *         "classification": "TLP:AMBER",
                     *         "language": "en",
                     *         "paper": "a4",
                     *         "accent_color": null,
                     *         "footer": null,
                     *         "foreword": null,
                     *         "conclusion": null
                     *       },
                     *       "compare_to": null,
                     *       "summary": {
                     *         "total": 3,
                     *         "by_severity": {
                     *           "critical": 1,
                     *           "high": 2,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0
                     *         },
                     *         "by_status": {
                     *           "new": 3,
                     *           "triaged": 0,
                     *           "in_progress": 0,
                     *           "resolved": 0,
                     *           "false_positive": 0,
                     *           "accepted_risk": 0
                     *         },
                     *         "by_source": {
                     *           "secrets": 3
                     *         },
                     *         "by_data_source": [
                     *           {
                     *             "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *             "name": "payments-api",
                     *             "open": 3,
                     *             "total": 3
                     *           }
                     *         ]
                     *       },
                     *       "snapshot_sha256": "6f1ed002ab5595859014ebf0951522d9c5b0d5d1c7a7ab4a5ac9d5d0a1d3f0ab",
                     *       "created_by": {
                     *         "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "scheduled_report_id": null,
                     *       "created_at": "2026-02-01T09:30:00Z",
                     *       "completed_at": "2026-02-01T09:30:01Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    deleteReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `rpt_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The report is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportReport: {
        parameters: {
            query: {
                /** Documents: `pdf`, `docx`. Every finding as a row or an object: `csv`, `xlsx`, `json`, `sarif`, `sarif-github`, `ocsf`. */
                format: components["schemas"]["ReportFormat"];
                /** With `format=sarif-github`: the id of the only data source whose findings are exported, as one file. */
                data_source?: string;
                /** With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly. */
                bom?: boolean;
            };
            header?: never;
            path: {
                /** `rpt_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "text/csv; charset=utf-8": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/json": components["schemas"]["ReportDocument"] | components["schemas"]["OcsfEvents"];
                    "application/sarif+json": components["schemas"]["SarifLog"];
                    "application/zip": string;
                };
            };
        };
    };
    exportFindings: {
        parameters: {
            query: {
                /** Any of these severities. A leading `-` excludes one, here and in all lists. */
                severity?: components["schemas"]["SeverityFilter"][];
                /** Any of these detection source types. */
                source?: string[];
                /** Any of these statuses. */
                status?: components["schemas"]["FindingStatusFilter"][];
                /** In any of these data sources (ids). */
                data_source?: string[];
                /** First seen at or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** First seen at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** In data sources with any of these tags. */
                data_source_tag?: string[];
                /** In data sources that any of these people own: an id, an email address, `me`, or `none`. */
                owner?: string[];
                /** In data sources of any of these criticalities. */
                criticality?: components["schemas"]["CriticalityFilter"][];
                /** With any of these tags. */
                tag?: string[];
                /** Assigned to any of these: an id, an email address, `me`, or `none`. */
                assignee?: string[];
                /** Of any of these rules (ids). */
                rule?: string[];
                /** Of rules with any of these tags of their scanner, such as `security`. Case does not matter. */
                rule_tag?: string[];
                /** With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter. */
                identifier?: string[];
                /** At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**\/test/**`. */
                path?: string[];
                /** In any of these packages (names). */
                package?: string[];
                /** Whether it came back after it was resolved. */
                reopened?: boolean;
                /** Its risk is accepted until this time or an earlier one. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                accepted_until_to?: string;
                /** Of this priority or a higher one. */
                priority_min?: number;
                /** Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV). */
                kev?: boolean;
                /** With an EPSS score of at least this, 0 to 1. */
                epss_min?: number;
                /** `test`: only in tests and examples; `-test` or `none`: elsewhere. */
                context?: components["schemas"]["FindingContextFilter"][];
                /** With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first. */
                unique?: boolean;
                /** Whether it should be fixed by now: its due date has passed. */
                overdue?: boolean;
                /** Due at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                due_to?: string;
                /** Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500. */
                q?: string;
                /** Changed at or after this time. With `sort=updated_at`, the way to follow all changes. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_from?: string;
                /** Last changed at or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                updated_to?: string;
                /** Order, as in the list. `relevance` needs `q` and has its newest matches, at most 500. */
                sort?: components["schemas"]["FindingExportSort"];
                /** The format of the file. */
                format: components["schemas"]["FindingExportFormat"];
                /** With `format=csv`: whether the file begins with a byte order mark, which Excel needs to open it directly. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                    "application/json": components["schemas"]["FindingFile"];
                };
            };
        };
    };
    listScanSchedules: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of schedules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sch_01jd3y5q6rf8s9t0v1w2x3y4z5",
                     *           "name": "Secrets every night",
                     *           "source": "secrets",
                     *           "data_sources": null,
                     *           "cron": "0 2 * * *",
                     *           "timezone": "Europe/Berlin",
                     *           "enabled": true,
                     *           "next_run_at": "2026-02-02T01:00:00Z",
                     *           "last_run_at": "2026-02-01T01:00:02Z",
                     *           "last_scan_id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *           "last_error": null,
                     *           "created_at": "2026-01-15T10:00:00Z",
                     *           "updated_at": "2026-01-15T10:00:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScanSchedulePage"];
                };
            };
        };
    };
    createScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Secrets every night",
                 *       "source": "secrets",
                 *       "cron": "0 2 * * *",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["ScanScheduleCreation"];
            };
        };
        responses: {
            /** The new schedule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01jd3y5q6rf8s9t0v1w2x3y4z5",
                     *       "name": "Secrets every night",
                     *       "source": "secrets",
                     *       "data_sources": null,
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "next_run_at": "2026-02-02T01:00:00Z",
                     *       "last_run_at": "2026-02-01T01:00:02Z",
                     *       "last_scan_id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "last_error": null,
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScanSchedule"];
                };
            };
        };
    };
    previewScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 2 * * 1-5",
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["TimetablePreviewRequest"];
            };
        };
        responses: {
            /** The description and the due times. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cron": "0 2 * * 1-5",
                     *       "timezone": "Europe/Berlin",
                     *       "description": "At 02:00, on Monday to Friday (Europe/Berlin).",
                     *       "next_runs": [
                     *         "2026-02-02T01:00:00Z",
                     *         "2026-02-03T01:00:00Z"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TimetablePreview"];
                };
            };
        };
    };
    getScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `sch_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01jd3y5q6rf8s9t0v1w2x3y4z5",
                     *       "name": "Secrets every night",
                     *       "source": "secrets",
                     *       "data_sources": null,
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "next_run_at": "2026-02-02T01:00:00Z",
                     *       "last_run_at": "2026-02-01T01:00:02Z",
                     *       "last_scan_id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "last_error": null,
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScanSchedule"];
                };
            };
        };
    };
    deleteScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `sch_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The schedule is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `sch_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["ScanScheduleUpdate"];
            };
        };
        responses: {
            /** The updated schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01jd3y5q6rf8s9t0v1w2x3y4z5",
                     *       "name": "Secrets every night",
                     *       "source": "secrets",
                     *       "data_sources": null,
                     *       "cron": "0 2 * * *",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": false,
                     *       "next_run_at": null,
                     *       "last_run_at": "2026-02-01T01:00:02Z",
                     *       "last_scan_id": "scan_01jd3y0c9vf3q8r7s6t5v4w3x2",
                     *       "last_error": null,
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScanSchedule"];
                };
            };
        };
    };
    listScheduledReports: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of scheduled reports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "srp_01jd3ze7n8p9q0r1s2t3v4w5x6",
                     *           "title": "Critical and high findings",
                     *           "filters": {
                     *             "severity": [
                     *               "critical",
                     *               "high"
                     *             ]
                     *           },
                     *           "format": "pdf",
                     *           "template": "executive",
                     *           "document": {
                     *             "version": "1.0",
                     *             "state": "final",
                     *             "author": "Ada Lovelace",
                     *             "reviewer": "Grace Hopper",
                     *             "distribution": [
                     *               "Board of Example Industries",
                     *               "Internal audit"
                     *             ],
                     *             "classification": "TLP:AMBER",
                     *             "language": "en",
                     *             "paper": "a4",
                     *             "accent_color": null,
                     *             "footer": null,
                     *             "foreword": null,
                     *             "conclusion": null
                     *           },
                     *           "recipients": [
                     *             "security@example.com",
                     *             "auditor@example.org"
                     *           ],
                     *           "cron": "0 7 * * MON",
                     *           "timezone": "Europe/Berlin",
                     *           "enabled": true,
                     *           "next_run_at": "2026-02-09T06:00:00Z",
                     *           "last_run_at": "2026-02-02T06:00:02Z",
                     *           "last_report_id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *           "last_error": null,
                     *           "created_by": {
                     *             "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "created_at": "2026-01-15T10:00:00Z",
                     *           "updated_at": "2026-01-15T10:00:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledReportPage"];
                };
            };
        };
    };
    createScheduledReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 128 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Critical and high findings",
                 *       "filters": {
                 *         "severity": [
                 *           "critical",
                 *           "high"
                 *         ]
                 *       },
                 *       "cron": "0 7 * * MON",
                 *       "timezone": "Europe/Berlin",
                 *       "recipients": [
                 *         "security@example.com",
                 *         "auditor@example.org"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScheduledReportCreation"];
            };
        };
        responses: {
            /** The new scheduled report. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "srp_01jd3ze7n8p9q0r1s2t3v4w5x6",
                     *       "title": "Critical and high findings",
                     *       "filters": {
                     *         "severity": [
                     *           "critical",
                     *           "high"
                     *         ]
                     *       },
                     *       "format": "pdf",
                     *       "template": "executive",
                     *       "document": {
                     *         "version": "1.0",
                     *         "state": "final",
                     *         "author": "Ada Lovelace",
                     *         "reviewer": "Grace Hopper",
                     *         "distribution": [
                     *           "Board of Example Industries",
                     *           "Internal audit"
                     *         ],
                     *         "classification": "TLP:AMBER",
                     *         "language": "en",
                     *         "paper": "a4",
                     *         "accent_color": null,
                     *         "footer": null,
                     *         "foreword": null,
                     *         "conclusion": null
                     *       },
                     *       "recipients": [
                     *         "security@example.com",
                     *         "auditor@example.org"
                     *       ],
                     *       "cron": "0 7 * * MON",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "next_run_at": "2026-02-09T06:00:00Z",
                     *       "last_run_at": null,
                     *       "last_report_id": null,
                     *       "last_error": null,
                     *       "created_by": {
                     *         "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledReport"];
                };
            };
        };
    };
    getScheduledReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `srp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The scheduled report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "srp_01jd3ze7n8p9q0r1s2t3v4w5x6",
                     *       "title": "Critical and high findings",
                     *       "filters": {
                     *         "severity": [
                     *           "critical",
                     *           "high"
                     *         ]
                     *       },
                     *       "format": "pdf",
                     *       "template": "executive",
                     *       "document": {
                     *         "version": "1.0",
                     *         "state": "final",
                     *         "author": "Ada Lovelace",
                     *         "reviewer": "Grace Hopper",
                     *         "distribution": [
                     *           "Board of Example Industries",
                     *           "Internal audit"
                     *         ],
                     *         "classification": "TLP:AMBER",
                     *         "language": "en",
                     *         "paper": "a4",
                     *         "accent_color": null,
                     *         "footer": null,
                     *         "foreword": null,
                     *         "conclusion": null
                     *       },
                     *       "recipients": [
                     *         "security@example.com",
                     *         "auditor@example.org"
                     *       ],
                     *       "cron": "0 7 * * MON",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": true,
                     *       "next_run_at": "2026-02-09T06:00:00Z",
                     *       "last_run_at": "2026-02-02T06:00:02Z",
                     *       "last_report_id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *       "last_error": null,
                     *       "created_by": {
                     *         "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledReport"];
                };
            };
        };
    };
    deleteScheduledReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `srp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The scheduled report is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateScheduledReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `srp_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 128 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["ScheduledReportUpdate"];
            };
        };
        responses: {
            /** The updated scheduled report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "srp_01jd3ze7n8p9q0r1s2t3v4w5x6",
                     *       "title": "Critical and high findings",
                     *       "filters": {
                     *         "severity": [
                     *           "critical",
                     *           "high"
                     *         ]
                     *       },
                     *       "format": "pdf",
                     *       "template": "executive",
                     *       "document": {
                     *         "version": "1.0",
                     *         "state": "final",
                     *         "author": "Ada Lovelace",
                     *         "reviewer": "Grace Hopper",
                     *         "distribution": [
                     *           "Board of Example Industries",
                     *           "Internal audit"
                     *         ],
                     *         "classification": "TLP:AMBER",
                     *         "language": "en",
                     *         "paper": "a4",
                     *         "accent_color": null,
                     *         "footer": null,
                     *         "foreword": null,
                     *         "conclusion": null
                     *       },
                     *       "recipients": [
                     *         "security@example.com",
                     *         "auditor@example.org"
                     *       ],
                     *       "cron": "0 7 * * MON",
                     *       "timezone": "Europe/Berlin",
                     *       "enabled": false,
                     *       "next_run_at": null,
                     *       "last_run_at": "2026-02-02T06:00:02Z",
                     *       "last_report_id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *       "last_error": null,
                     *       "created_by": {
                     *         "id": "usr_01jd3x7k2pfr6v0t9y8n7m6k50",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "created_at": "2026-01-15T10:00:00Z",
                     *       "updated_at": "2026-01-15T10:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduledReport"];
                };
            };
        };
    };
    listReportDeliveries: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `srp_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of mails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "report_id": "rpt_01jd3zb8m9n0p1q2r3s4t5v6w7",
                     *           "recipient": "ciso@example.com",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "error": "the mail server rejected the recipient: 550 no such mailbox",
                     *           "created_at": "2026-02-02T06:00:00Z",
                     *           "sent_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReportDeliveryPage"];
                };
            };
        };
    };
    listDataSources: {
        parameters: {
            query?: {
                /** Whose name or address contains this, in any case. */
                q?: string;
                /** Of any of these kinds. */
                kind?: components["schemas"]["DataSourceKind"][];
                /** In any of these statuses. */
                status?: components["schemas"]["DataSourceStatus"][];
                /** Those that were never scanned are the oldest by `last_scanned_at`. */
                sort?: components["schemas"]["DataSourceSort"];
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of data sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *           "kind": "git_repository",
                     *           "name": "payments-api",
                     *           "config": {
                     *             "url": "https://github.com/example/payments-api.git",
                     *             "branch": "main"
                     *           },
                     *           "has_credential": true,
                     *           "tags": [
                     *             "payments"
                     *           ],
                     *           "owner": {
                     *             "id": "usr_01jd3x7m4h8e2c9r5t6w7q3z1a",
                     *             "name": "Sam Doe",
                     *             "email": "sam@example.com"
                     *           },
                     *           "criticality": "high",
                     *           "exposure": "public",
                     *           "status": "ok",
                     *           "status_message": null,
                     *           "open_findings": 12,
                     *           "last_scanned_at": "2026-02-01T02:00:07Z",
                     *           "created_at": "2026-01-31T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DataSourcePage"];
                };
            };
        };
    };
    createDataSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "git_repository",
                 *       "name": "payments-api",
                 *       "config": {
                 *         "url": "https://github.com/example/payments-api.git",
                 *         "branch": "main",
                 *         "credential": {
                 *           "token": "the access token"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DataSourceCreation"];
            };
        };
        responses: {
            /** The new data source. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *       "kind": "git_repository",
                     *       "name": "payments-api",
                     *       "config": {
                     *         "url": "https://github.com/example/payments-api.git",
                     *         "branch": "main"
                     *       },
                     *       "has_credential": true,
                     *       "tags": [
                     *         "payments"
                     *       ],
                     *       "owner": {
                     *         "id": "usr_01jd3x7m4h8e2c9r5t6w7q3z1a",
                     *         "name": "Sam Doe",
                     *         "email": "sam@example.com"
                     *       },
                     *       "criticality": "high",
                     *       "exposure": "public",
                     *       "status": "ok",
                     *       "status_message": null,
                     *       "open_findings": 12,
                     *       "last_scanned_at": "2026-02-01T02:00:07Z",
                     *       "created_at": "2026-01-31T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DataSource"];
                };
            };
        };
    };
    testDataSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "git_repository",
                 *       "config": {
                 *         "url": "https://github.com/example/payments-api.git",
                 *         "credential": {
                 *           "token": "the access token"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DataSourceCreation"];
            };
        };
        responses: {
            /** The result of the test, good or bad. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reachable": false,
                     *       "code": "authentication_failed",
                     *       "message": "The host did not accept the credential: check that it is right, not expired, and may read this repository."
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
        };
    };
    listDataSourceSuggestions: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The suggestions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "git_repository",
                     *           "name": "Sample repository",
                     *           "description": "A small repository with planted problems, for a first scan.",
                     *           "config": {
                     *             "url": "file:///var/lib/assay/sample-repository"
                     *           },
                     *           "data_source_id": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DataSourceSuggestionPage"];
                };
            };
        };
    };
    getDataSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `ds_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The data source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *       "kind": "git_repository",
                     *       "name": "payments-api",
                     *       "config": {
                     *         "url": "https://github.com/example/payments-api.git",
                     *         "branch": "main"
                     *       },
                     *       "has_credential": true,
                     *       "tags": [
                     *         "payments"
                     *       ],
                     *       "owner": {
                     *         "id": "usr_01jd3x7m4h8e2c9r5t6w7q3z1a",
                     *         "name": "Sam Doe",
                     *         "email": "sam@example.com"
                     *       },
                     *       "criticality": "high",
                     *       "exposure": "public",
                     *       "status": "ok",
                     *       "status_message": null,
                     *       "open_findings": 12,
                     *       "last_scanned_at": "2026-02-01T02:00:07Z",
                     *       "created_at": "2026-01-31T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DataSource"];
                };
            };
        };
    };
    deleteDataSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `ds_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The data source was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateDataSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `ds_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "payments",
                 *       "config": {
                 *         "branch": "release"
                 *       },
                 *       "criticality": "high"
                 *     }
                 */
                "application/json": components["schemas"]["DataSourceUpdate"];
            };
        };
        responses: {
            /** The updated data source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ds_01jd3x7k2pfr6v0t9y8n7m6k5j",
                     *       "kind": "git_repository",
                     *       "name": "payments-api",
                     *       "config": {
                     *         "url": "https://github.com/example/payments-api.git",
                     *         "branch": "main"
                     *       },
                     *       "has_credential": true,
                     *       "tags": [
                     *         "payments"
                     *       ],
                     *       "owner": {
                     *         "id": "usr_01jd3x7m4h8e2c9r5t6w7q3z1a",
                     *         "name": "Sam Doe",
                     *         "email": "sam@example.com"
                     *       },
                     *       "criticality": "high",
                     *       "exposure": "public",
                     *       "status": "ok",
                     *       "status_message": null,
                     *       "open_findings": 12,
                     *       "last_scanned_at": "2026-02-01T02:00:07Z",
                     *       "created_at": "2026-01-31T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DataSource"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Example Inc.",
                     *       "plan": "default",
                     *       "rate_limit": {
                     *         "requests_per_minute": 100,
                     *         "burst_per_minute": 200
                     *       },
                     *       "member_count": 3,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "runs_installation": false
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Inc."
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationUpdate"];
            };
        };
        responses: {
            /** The organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Example Inc.",
                     *       "plan": "default",
                     *       "rate_limit": {
                     *         "requests_per_minute": 100,
                     *         "burst_per_minute": 200
                     *       },
                     *       "member_count": 3,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "runs_installation": false
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "role": "analyst",
                     *           "joined_at": "2026-01-31T09:30:00Z",
                     *           "last_active_at": "2026-02-03T14:07:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            /** The updated member. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "role": "analyst",
                     *       "joined_at": "2026-01-31T09:30:00Z",
                     *       "last_active_at": "2026-02-03T14:07:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of invitations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inv_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "email": "grace@example.com",
                     *           "role": "analyst",
                     *           "status": "pending",
                     *           "invited_by": {
                     *             "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "expires_at": "2026-02-07T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "grace@example.com",
                 *       "role": "analyst"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationCreation"];
            };
        };
        responses: {
            /** The invitation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "email": "grace@example.com",
                     *       "role": "analyst",
                     *       "status": "pending",
                     *       "invited_by": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "expires_at": "2026-02-07T09:30:00Z",
                     *       "url": null
                     *     }
                     */
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `inv_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "email": "grace@example.com",
                     *       "role": "analyst",
                     *       "status": "pending",
                     *       "invited_by": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "expires_at": "2026-02-07T09:30:00Z",
                     *       "url": null
                     *     }
                     */
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `inv_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemberTokens: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tok_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Dashboard",
                     *           "scopes": [
                     *             "findings:read"
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "expires_at": "2026-05-01T00:00:00Z",
                     *           "last_used_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiTokenPage"];
                };
            };
        };
    };
    deleteMemberToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
                /** `tok_…` */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMemberSessions: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ses_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "is_current": false,
                     *           "ip_address": "203.0.113.7",
                     *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "last_active_at": "2026-01-31T10:12:00Z",
                     *           "expires_at": "2026-02-07T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    endMemberSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `usr_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** By this person (an id, or `me`) with all their tokens, by this API token (an id), or by `system`. */
                actor?: string;
                /**
                 * Any of these actions:
                 *
                 *     - `organization.created`: An organization was created.
                 *     - `organization.updated`: The organization was renamed.
                 *     - `organization.limits_changed`: The operator changed the plan or the rate limit.
                 *     - `policy.updated`: The days to fix findings, the conditions for accepting risks or the sign-in policy were changed.
                 *     - `member.added`: The operator added a person to the organization.
                 *     - `member.joined`: A person became a member by their first single sign-on.
                 *     - `member.role_changed`: A member got another role.
                 *     - `member.removed`: A member was removed.
                 *     - `member.sessions_ended`: The sessions of a member were ended for the organization.
                 *     - `invitation.created`: A person was invited.
                 *     - `invitation.resent`: An invitation got a new link.
                 *     - `invitation.revoked`: An invitation was revoked.
                 *     - `invitation.accepted`: An invited person became a member.
                 *     - `token.created`: An API token was created.
                 *     - `token.revoked`: An API token was revoked.
                 *     - `account.password_reset`: A person got a new password from the operator.
                 *     - `account.signed_in`: A person signed in.
                 *     - `account.sign_in_failed`: Somebody failed to sign in as a person, or to confirm an action as them: by hour and address, with the number of attempts.
                 *     - `account.signed_out`: A person signed out.
                 *     - `account.session_ended`: A person ended one of their sessions.
                 *     - `account.password_recovered`: A person set a new password by a link in a mail.
                 *     - `account.claimed`: A person showed that the address of an account is theirs; everything that led into it before ended.
                 *     - `account.joined`: A person joined an account of their address into their own.
                 *     - `account.email_changed`: A person confirmed a new email address.
                 *     - `account.password_changed`: A person changed their password.
                 *     - `account.two_factor_enabled`: A person turned the second factor on.
                 *     - `account.two_factor_removed`: A person removed the second factor.
                 *     - `account.two_factor_replaced`: A person replaced the second factor by another one.
                 *     - `account.recovery_code_used`: A person used a recovery code.
                 *     - `account.recovery_codes_renewed`: A person created new recovery codes.
                 *     - `account.disabled`: The operator disabled a person.
                 *     - `account.enabled`: The operator enabled a person again.
                 *     - `account.sessions_ended`: The operator ended all sessions of a person.
                 *     - `account.two_factor_reset`: The operator removed the second factor of a person.
                 *     - `account.passkey_added`: A person added a passkey.
                 *     - `account.passkey_removed`: A person removed a passkey.
                 *     - `account.renamed`: A person changed their name.
                 *     - `data_source.created`: A data source was added.
                 *     - `data_source.updated`: A data source was changed.
                 *     - `data_source.deleted`: A data source was deleted.
                 *     - `scan.cancelled`: A scan was cancelled.
                 *     - `scan_schedule.created`: A scan schedule was created.
                 *     - `scan_schedule.updated`: A scan schedule was changed.
                 *     - `scan_schedule.deleted`: A scan schedule was deleted.
                 *     - `report.created`: A report was generated.
                 *     - `report.exported`: A report was exported as a file.
                 *     - `report.deleted`: A report was deleted.
                 *     - `scheduled_report.created`: A scheduled report was created.
                 *     - `scheduled_report.updated`: A scheduled report was changed.
                 *     - `scheduled_report.deleted`: A scheduled report was deleted.
                 *     - `findings.exported`: The list of findings was exported.
                 *     - `findings.updated`: Many findings were updated at once.
                 *     - `findings.update_undone`: An update of many findings was undone.
                 *     - `audit_log.exported`: The audit log was exported.
                 *     - `view.shared`: A view of the list of findings was shared with the organization.
                 *     - `view.updated`: A shared view was changed.
                 *     - `view.unshared`: A shared view became private.
                 *     - `view.deleted`: A shared view was deleted.
                 */
                action?: components["schemas"]["AuditAction"][];
                /** The id of what was changed, of any kind. */
                target?: string;
                /** At or after this time. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                from?: string;
                /** At or before this time, to the second. Any time of RFC 3339; it is converted to UTC and truncated to whole seconds. */
                to?: string;
                /** Overrides the header `Accept`; `json` by default. */
                format?: components["schemas"]["AuditFormat"];
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of events, or all that match as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "sequence": 42,
                     *           "occurred_at": "2026-01-31T09:30:00Z",
                     *           "actor": {
                     *             "type": "user",
                     *             "user": {
                     *               "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *               "name": "Ada Lovelace"
                     *             },
                     *             "token": null,
                     *             "address": "203.0.113.7"
                     *           },
                     *           "action": "member.role_changed",
                     *           "target": {
                     *             "id": "usr_01jd3q9w2fh4rz8k6v5t3m1n0p",
                     *             "name": "Grace Hopper"
                     *           },
                     *           "before": {
                     *             "role": "analyst"
                     *           },
                     *           "after": {
                     *             "role": "admin"
                     *           },
                     *           "details": {},
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventPage"];
                    "text/csv": string;
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "email_verified": true,
                     *       "two_factor_enabled": false,
                     *       "has_password": true,
                     *       "organization": {
                     *         "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Example Inc.",
                     *         "role": "analyst"
                     *       },
                     *       "organizations": [
                     *         {
                     *           "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Example Inc.",
                     *           "role": "analyst"
                     *         }
                     *       ],
                     *       "sign_in_refusal": null,
                     *       "permissions": [
                     *         "findings:read",
                     *         "findings:write",
                     *         "views:write",
                     *         "views:share",
                     *         "scans:read",
                     *         "scans:write",
                     *         "reports:read",
                     *         "reports:write",
                     *         "sources:read",
                     *         "imports:write",
                     *         "organization:read",
                     *         "preferences:write"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organization_id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n"
                 *     }
                 */
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** The updated profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "email_verified": true,
                     *       "two_factor_enabled": false,
                     *       "has_password": true,
                     *       "organization": {
                     *         "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Example Inc.",
                     *         "role": "analyst"
                     *       },
                     *       "organizations": [
                     *         {
                     *           "id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Example Inc.",
                     *           "role": "analyst"
                     *         }
                     *       ],
                     *       "sign_in_refusal": null,
                     *       "permissions": [
                     *         "findings:read",
                     *         "findings:write",
                     *         "views:write",
                     *         "views:share",
                     *         "scans:read",
                     *         "scans:write",
                     *         "reports:read",
                     *         "reports:write",
                     *         "sources:read",
                     *         "imports:write",
                     *         "organization:read",
                     *         "preferences:write"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada.lovelace@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** Accepted: the mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The preferences, with defaults. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "theme": "dark",
                     *       "density": "comfortable",
                     *       "columns": [
                     *         "severity",
                     *         "title",
                     *         "first_seen_at"
                     *       ],
                     *       "single_keys": true,
                     *       "custom": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Preferences"];
                };
            };
        };
    };
    replacePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "theme": "dark",
                 *       "columns": [
                 *         "severity",
                 *         "title",
                 *         "first_seen_at"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PreferencesInput"];
            };
        };
        responses: {
            /** The preferences, with defaults. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "theme": "dark",
                     *       "density": "comfortable",
                     *       "columns": [
                     *         "severity",
                     *         "title",
                     *         "first_seen_at"
                     *       ],
                     *       "single_keys": true,
                     *       "custom": {}
                     *     }
                     */
                    "application/json": components["schemas"]["Preferences"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery",
                 *       "new_password": "another horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setUpTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** The secret and the recovery codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "uri": "otpauth://totp/Assay:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Assay&digits=6&period=30",
                     *       "recovery_codes": [
                     *         "k3vwzm-8tqh2p-c5xnde-y7rgfa",
                     *         "b9jusm-4wkze6-xq2dht-pn8vcr"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["TwoFactorCode"];
            };
        };
        responses: {
            /** The second factor is on. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removeTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["TwoFactorRemoval"];
            };
        };
        responses: {
            /** Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordConfirmation"];
            };
        };
        responses: {
            /** The new codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "k3vwzm-8tqh2p-c5xnde-y7rgfa",
                     *         "b9jusm-4wkze6-xq2dht-pn8vcr"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of passkeys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "psk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Laptop",
                     *           "is_backed_up": true,
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "last_used_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyPage"];
                };
            };
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "credential": {
                 *         "id": "Zm9v",
                 *         "rawId": "Zm9v",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "e30",
                 *           "attestationObject": "AA"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PasskeyCreation"];
            };
        };
        responses: {
            /** The passkey. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "psk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Laptop",
                     *       "is_backed_up": true,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasskeyConfirmation"];
            };
        };
        responses: {
            /** The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "gKx7o1cXrHq9vGmT5Yl0eA2bJ3nPzQ8s",
                     *       "rp": {
                     *         "id": "assay.example.com",
                     *         "name": "Assay"
                     *       },
                     *       "user": {
                     *         "id": "dXNyXzAxamQ",
                     *         "name": "ada@example.com",
                     *         "displayName": "Ada Lovelace"
                     *       },
                     *       "pubKeyCredParams": [
                     *         {
                     *           "type": "public-key",
                     *           "alg": -7
                     *         }
                     *       ],
                     *       "attestation": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: {
                /** Whether your API tokens of all organizations are revoked too; by default they stay. */
                revoke_tokens?: boolean;
                /** Whether all your passkeys are removed too; by default they stay. */
                remove_passkeys?: boolean;
            };
            header?: never;
            path: {
                /** `psk_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `psk_…` */
                id: string;
            };
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop"
                 *     }
                 */
                "application/json": components["schemas"]["PasskeyUpdate"];
            };
        };
        responses: {
            /** The passkey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "psk_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Laptop",
                     *       "is_backed_up": true,
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "last_used_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ses_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "is_current": true,
                     *           "ip_address": "203.0.113.7",
                     *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "last_active_at": "2026-01-31T10:12:00Z",
                     *           "expires_at": "2026-02-07T09:30:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    deleteOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `ses_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listFailedSignIns: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of failed sign-ins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "203.0.113.7",
                     *           "methods": [
                     *             "password"
                     *           ],
                     *           "attempts": 3,
                     *           "first_at": "2026-01-31T09:30:00Z",
                     *           "last_at": "2026-01-31T09:31:12Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["FailedSignInPage"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** The maximum number of items on a page. */
                limit?: number;
                /** The `next_cursor` of the page before, with the same filters and sort. */
                next_cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tok_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Dashboard",
                     *           "scopes": [
                     *             "findings:read"
                     *           ],
                     *           "created_at": "2026-01-31T09:30:00Z",
                     *           "expires_at": "2026-05-01T00:00:00Z",
                     *           "last_used_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiTokenPage"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Dashboard",
                 *       "scopes": [
                 *         "findings:read"
                 *       ],
                 *       "expires_at": "2026-05-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiTokenCreation"];
            };
        };
        responses: {
            /** The new token, in clear text. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tok_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "name": "Dashboard",
                     *       "scopes": [
                     *         "findings:read"
                     *       ],
                     *       "created_at": "2026-01-31T09:30:00Z",
                     *       "expires_at": "2026-05-01T00:00:00Z",
                     *       "last_used_at": null,
                     *       "token": "asy_…"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiToken"];
                };
            };
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** `tok_…` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    checkInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The results of all checks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "warning",
                     *       "checked_at": "2026-01-15T09:30:00Z",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "state": "ok",
                     *           "summary": "The database responds.",
                     *           "action": null
                     *         },
                     *         {
                     *           "name": "backup",
                     *           "state": "warning",
                     *           "summary": "There is no backup yet.",
                     *           "action": "Set ASSAY_BACKUP_DIR for one each day. \"assay backup FOLDER\" makes one now."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Installation"];
                };
            };
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The ways to sign in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "password_reset": true,
                     *       "passkeys": true,
                     *       "single_sign_on": {
                     *         "name": "Example SSO"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       },
                     *       "expires_at": "2026-02-07T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SignInSession"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** The next step. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in",
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    signInWithCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SignInCode"];
            };
        };
        responses: {
            /** Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in",
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    signInWithRecoveryCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "k3vwzm-8tqh2p-c5xnde-y7rgfa"
                 *     }
                 */
                "application/json": components["schemas"]["SignInRecoveryCode"];
            };
        };
        responses: {
            /** Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in",
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "gKx7o1cXrHq9vGmT5Yl0eA2bJ3nPzQ8s",
                     *       "rpId": "assay.example.com",
                     *       "timeout": 60000,
                     *       "userVerification": "required"
                     *     }
                     */
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "id": "Zm9v",
                 *         "rawId": "Zm9v",
                 *         "type": "public-key",
                 *         "response": {
                 *           "clientDataJSON": "e30",
                 *           "authenticatorData": "AA",
                 *           "signature": "AA"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "signed_in",
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInResult"];
                };
            };
        };
    };
    beginSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "redirect": "/findings"
                 *     }
                 */
                "application/json": components["schemas"]["SingleSignOnRequest"];
            };
        };
        responses: {
            /** The address to go to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://login.example.com/authorize?client_id=assay"
                     *     }
                     */
                    "application/json": components["schemas"]["SingleSignOnStart"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** Accepted: if there is such an account, the mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7",
                 *       "new_password": "another horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** The password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7"
                 *     }
                 */
                "application/json": components["schemas"]["EmailConfirmation"];
            };
        };
        responses: {
            /** The new address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfirmedEmail"];
                };
            };
        };
    };
    listOtherAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *           "name": "Ada Lovelace",
                     *           "organizations": [
                     *             "Example Inc."
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OtherAccounts"];
                };
            };
        };
    };
    createJoinCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RecentPassword"];
            };
        };
        responses: {
            /** The code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "s1.abc.def",
                     *       "expires_at": "2026-01-31T09:40:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["JoinCode"];
                };
            };
        };
    };
    joinAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "s1.abc.def"
                 *     }
                 */
                "application/json": components["schemas"]["AccountJoin"];
            };
        };
        responses: {
            /** Joined. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7"
                 *     }
                 */
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** The open invitation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "grace@example.com",
                     *       "organization": "Example Inc.",
                     *       "role": "analyst",
                     *       "invited_by": "Ada Lovelace",
                     *       "expires_at": "2026-02-07T09:30:00Z",
                     *       "has_account": false,
                     *       "can_accept": false
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** At most 64 KiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7",
                 *       "name": "Grace Hopper",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        responses: {
            /** The new member. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "usr_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com"
                     *       },
                     *       "organization_id": "org_01jd3q5r8wf0ht6vsx2p9k4m7n",
                     *       "role": "analyst"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
        };
    };
}
