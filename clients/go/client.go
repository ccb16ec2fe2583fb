package assay

// Client is a client of one Assay service with one token. It is safe for concurrent use.
type Client struct {
	Findings         *Findings
	DetectionSources *DetectionSources
	Scans            *Scans
	ScanSchedules    *ScanSchedules
	Reports          *Reports
	ScheduledReports *ScheduledReports
	DataSources      *DataSources
	Imports          *Imports
	Organization     *OrganizationResource
	Profile          *ProfileResource
	Events           *Events
	AuditEvents      *AuditEvents
	Views            *Views
	BulkOperations   *BulkOperations
	Rules            *Rules
	Tags             *Tags
}

// NewClient returns a client. It sends nothing.
func NewClient(options ...ClientOption) (*Client, error) {
	s, err := readOptions(options)
	if err != nil {
		return nil, err
	}
	t := &transport{s}
	return &Client{
		Findings:         &Findings{t},
		DetectionSources: &DetectionSources{t},
		Scans:            &Scans{t},
		ScanSchedules:    &ScanSchedules{t},
		Reports:          &Reports{t},
		ScheduledReports: &ScheduledReports{t},
		DataSources:      &DataSources{t},
		Imports:          &Imports{t},
		Organization:     &OrganizationResource{t, &Members{t}, &Invitations{t}},
		Profile:          &ProfileResource{t, &Tokens{t}, &PreferencesResource{t}, &Passkeys{t}, &Sessions{t}, &TwoFactor{t}},
		Tags:             &Tags{t},
		Rules:            &Rules{t},
		BulkOperations:   &BulkOperations{t},
		Views:            &Views{t},
		AuditEvents:      &AuditEvents{t},
		Events:           &Events{t},
	}, nil
}
