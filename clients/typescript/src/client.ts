import { type ClientOptions, readOptions } from './options.ts';
import { Events } from './resources/events.ts';
import { Findings } from './resources/findings.ts';
import { Imports } from './resources/imports.ts';
import { Reports } from './resources/reports.ts';
import { Scans } from './resources/scans.ts';
import {
  AuditEvents,
  BulkOperations,
  DataSources,
  DetectionSources,
  OrganizationResource,
  ProfileResource,
  Rules,
  ScanSchedules,
  ScheduledReports,
  Tags,
  Views,
} from './resources.ts';
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
  readonly organization: OrganizationResource;
  readonly profile: ProfileResource;
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
    this.organization = new OrganizationResource(transport);
    this.profile = new ProfileResource(transport);
    this.events = new Events(transport);
    this.auditEvents = new AuditEvents(transport);
    this.views = new Views(transport);
    this.bulkOperations = new BulkOperations(transport);
    this.rules = new Rules(transport);
    this.tags = new Tags(transport);
  }
}
