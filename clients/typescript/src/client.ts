import { type ClientOptions, readOptions } from './options.ts';
import { AuditEvents } from './resources/audit-events.ts';
import { BulkOperations } from './resources/bulk-operations.ts';
import { DataSources } from './resources/data-sources.ts';
import { DetectionSources } from './resources/detection-sources.ts';
import { Events } from './resources/events.ts';
import { Findings } from './resources/findings.ts';
import { Imports } from './resources/imports.ts';
import { Organization } from './resources/organization.ts';
import { Profile } from './resources/profile.ts';
import { Reports } from './resources/reports.ts';
import { Rules } from './resources/rules.ts';
import { ScanSchedules } from './resources/scan-schedules.ts';
import { Scans } from './resources/scans.ts';
import { ScheduledReports } from './resources/scheduled-reports.ts';
import { Tags } from './resources/tags.ts';
import { Views } from './resources/views.ts';
import { Transport } from './transport.ts';

/** A client of one Assay service with one token. Creating it sends nothing. */
export class Assay {
  readonly findings: Findings;
  readonly detectionSources: DetectionSources;
  readonly scans: Scans;
  readonly scanSchedules: ScanSchedules;
  readonly reports: Reports;
  readonly scheduledReports: ScheduledReports;
  readonly dataSources: DataSources;
  readonly imports: Imports;
  readonly organization: Organization;
  readonly profile: Profile;
  readonly events: Events;
  readonly auditEvents: AuditEvents;
  readonly views: Views;
  readonly bulkOperations: BulkOperations;
  readonly rules: Rules;
  readonly tags: Tags;

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(readOptions(options));
    this.findings = new Findings(transport);
    this.detectionSources = new DetectionSources(transport);
    this.scans = new Scans(transport);
    this.scanSchedules = new ScanSchedules(transport);
    this.reports = new Reports(transport);
    this.scheduledReports = new ScheduledReports(transport);
    this.dataSources = new DataSources(transport);
    this.imports = new Imports(transport);
    this.organization = new Organization(transport);
    this.profile = new Profile(transport);
    this.events = new Events(transport);
    this.auditEvents = new AuditEvents(transport);
    this.views = new Views(transport);
    this.bulkOperations = new BulkOperations(transport);
    this.rules = new Rules(transport);
    this.tags = new Tags(transport);
  }
}
