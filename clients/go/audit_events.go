package assay

import (
	"context"
	"iter"
)

// AuditEvents is the audit log: who changed what, when, and from where.
type AuditEvents struct{ t *transport }

// List requests one page of audit events.
func (r *AuditEvents) List(ctx context.Context, params AuditEventListParams, options ...CallOption) (*Page[AuditEvent], error) {
	return list[AuditEvent](ctx, r.t, []string{"audit-events"}, params, options)
}

// All yields audit events, of all pages.
func (r *AuditEvents) All(ctx context.Context, params AuditEventListParams, options ...CallOption) iter.Seq2[AuditEvent, error] {
	return all[AuditEvent](ctx, r.t, []string{"audit-events"}, params, options)
}
