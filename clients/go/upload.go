package assay

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// upload is a file to send: with each attempt if it can be read again, otherwise once.
type upload struct {
	file   io.Reader
	seeker io.Seeker
	start  int64
	size   int64
}

func newUpload(file io.Reader) (*upload, error) {
	if file == nil {
		return nil, invalidArgument("Give the file to upload.")
	}
	u := &upload{file: file, size: -1}
	seeker, ok := file.(io.Seeker)
	if !ok {
		return u, nil
	}
	// A pipe is a file too, but can't be read again.
	start, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return u, nil
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return u, nil
	}
	u.seeker, u.start, u.size = seeker, start, end-start
	return u, nil
}

func (u *upload) isReplayable() bool { return u.seeker != nil }

// open starts reading the file at its position when the call was made.
func (u *upload) open(a *attempt, progress func(Progress)) (*uploadBody, error) {
	if u.seeker != nil {
		if _, err := u.seeker.Seek(u.start, io.SeekStart); err != nil {
			return nil, invalidArgument("The file can't be read: %v", err)
		}
	}
	return &uploadBody{upload: u, attempt: a, progress: progress}, nil
}

// uploadBody is the body of one attempt.
type uploadBody struct {
	*upload
	attempt  *attempt
	progress func(Progress)
	sent     int64
	mutex    sync.Mutex
	released bool
}

func (b *uploadBody) attach(request *http.Request) {
	request.ContentLength = b.size
	request.Body = b
	if b.size == 0 {
		request.Body = http.NoBody
	}
}

// Read reads the next bytes of the file, and restarts the time limit.
func (b *uploadBody) Read(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.released {
		return 0, errors.New("the attempt has ended")
	}
	n, err := b.file.Read(p)
	if n > 0 {
		b.sent += int64(n)
		b.attempt.startClock()
		if b.progress != nil {
			b.progress(Progress{SentBytes: b.sent, TotalBytes: b.size})
		}
	}
	return n, err
}

// Close does not close the file, which belongs to the caller.
func (b *uploadBody) Close() error { return nil }

// release stops reading before the file is read again. It does not wait for a stream that blocks.
func (b *uploadBody) release() {
	if !b.isReplayable() && !b.mutex.TryLock() {
		return
	} else if b.isReplayable() {
		b.mutex.Lock()
	}
	b.released = true
	b.mutex.Unlock()
}
