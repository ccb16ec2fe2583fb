// Package assay is the client library of Assay, a self-hosted security findings platform.
//
//	c, err := assay.NewClient(assay.WithToken("asy_…"), assay.WithBaseURL("https://assay.example/api/v1"))
//	if err != nil {
//		return err
//	}
//	for finding, err := range c.Findings.All(ctx, assay.FindingListParams{Status: []assay.FindingStatusFilter{assay.FindingStatusFilterNew}}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(finding.Severity, finding.Title)
//	}
//
// A List returns one page, an All yields the items of all pages. In requests, fields at their zero value are omitted; [Null]
// sends null. In responses, a pointer is nil for null, and fields and values that are unknown to this version are preserved.
//
// Failed requests are repeated twice by default. Every error of a request is an [*Error]; [errors.Is] compares it with
// [ErrNotFound], [ErrRateLimit] and so on. If its context is cancelled, a call returns the context's error.
package assay
