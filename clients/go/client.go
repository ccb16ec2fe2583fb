package assay

// NewClient returns a client. It sends nothing.
func NewClient(options ...ClientOption) (*Client, error) {
	s, err := readOptions(options)
	if err != nil {
		return nil, err
	}
	return newClient(&transport{s}), nil
}
