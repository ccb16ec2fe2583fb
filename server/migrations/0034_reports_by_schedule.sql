-- The reports that a scheduled report created, and the last of them.
CREATE INDEX reports_by_schedule ON reports (org_id, scheduled_report_id, id) WHERE scheduled_report_id IS NOT NULL;
