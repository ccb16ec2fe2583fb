package assay

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
)

// Content is a file from the service, read as it arrives. An incomplete transfer is an error, never a short file.
// Close it, unless WriteTo or SaveTo did.
type Content struct {
	ContentType string
	// Filename is the file's name without any folder; empty if it has none.
	Filename string

	response *http.Response
	attempt  *attempt
}

// readFilename returns the file name of a Content-Disposition header.
func readFilename(header string) string {
	_, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		return ""
	}
	name := parameters["filename"]
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if name == "." || name == ".." {
		return ""
	}
	return name
}

// open sends a request and returns its body, to be read as it arrives.
func open(ctx context.Context, t *transport, s *spec, call *callSettings) (*Content, error) {
	var content *Content
	err := t.send(ctx, s, call, func(response *http.Response, a *attempt) error {
		a.stopClock()
		content = &Content{
			ContentType: response.Header.Get("Content-Type"),
			Filename:    readFilename(response.Header.Get("Content-Disposition")),
			response:    response,
			attempt:     a,
		}
		return nil
	})
	return content, err
}

// Read reads the next bytes. Each wait has the time limit of the call.
func (c *Content) Read(p []byte) (int, error) {
	c.attempt.startClock()
	n, err := c.response.Body.Read(p)
	c.attempt.stopClock()
	if err != nil && err != io.EOF {
		err = c.attempt.explain(err)
	}
	return n, err
}

// WriteTo writes the whole file and closes the connection.
func (c *Content) WriteTo(w io.Writer) (int64, error) {
	defer c.Close()
	return io.Copy(w, struct{ io.Reader }{c})
}

// SaveTo saves the file, completely or not at all.
func (c *Content) SaveTo(path string) error {
	partial := path + ".part"
	file, err := os.Create(partial)
	if err != nil {
		return errors.Join(err, c.Close())
	}
	_, err = c.WriteTo(file)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	return nil
}

// Close closes the connection, even if the file was not read to its end.
func (c *Content) Close() error {
	c.attempt.end()
	return c.response.Body.Close()
}
