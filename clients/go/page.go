package assay

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"reflect"
)

// Page is one page of a list.
type Page[T any] struct {
	Data []T
	// NextCursor is empty on the last page.
	NextCursor string
	// Extra holds fields that are unknown to this version of the library.
	Extra map[string]json.RawMessage

	load func(ctx context.Context, cursor string) (*Page[T], error)
}

// UnmarshalJSON reads a page and keeps unknown fields.
func (p *Page[T]) UnmarshalJSON(data []byte) error {
	var known struct {
		Data       []T     `json:"data"`
		NextCursor *string `json:"next_cursor"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &p.Extra); err != nil {
		return err
	}
	delete(p.Extra, "data")
	delete(p.Extra, "next_cursor")
	p.Data, p.NextCursor = known.Data, ""
	if known.NextCursor != nil {
		p.NextCursor = *known.NextCursor
	}
	return nil
}

// MarshalJSON writes the page in the service's form.
func (p Page[T]) MarshalJSON() ([]byte, error) {
	fields := map[string]any{"data": p.Data, "next_cursor": nil}
	if p.Data == nil {
		fields["data"] = []T{}
	}
	if p.NextCursor != "" {
		fields["next_cursor"] = p.NextCursor
	}
	for name, value := range maps.All(p.Extra) {
		fields[name] = value
	}
	return json.Marshal(fields)
}

// NextPage requests the next page; it is nil after the last one.
func (p *Page[T]) NextPage(ctx context.Context) (*Page[T], error) {
	if p.NextCursor == "" || p.load == nil {
		return nil, nil
	}
	return p.load(ctx, p.NextCursor)
}

// All yields the items of this page and of all following pages, and requests each page when it is needed. After an
// error it ends.
func (p *Page[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := p; page != nil; {
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			next, err := page.NextPage(ctx)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			page = next
		}
	}
}

// list requests a page of a list. params is the struct of its parameters, with a field NextCursor.
func list[T any](ctx context.Context, t *transport, path []string, params any, options []CallOption) (*Page[T], error) {
	page, err := do[Page[T]](ctx, t, &spec{method: http.MethodGet, path: path, query: params}, options)
	if err != nil {
		return nil, err
	}
	page.load = func(ctx context.Context, cursor string) (*Page[T], error) {
		next := reflect.New(reflect.TypeOf(params)).Elem()
		next.Set(reflect.ValueOf(params))
		next.FieldByName("NextCursor").SetString(cursor)
		return list[T](ctx, t, path, next.Interface(), options)
	}
	return page, nil
}

// all yields the items of all pages of a list.
func all[T any](ctx context.Context, t *transport, path []string, params any, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		page, err := list[T](ctx, t, path, params, options)
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		page.All(ctx)(yield)
	}
}
