package assay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

type objectField struct {
	index    int
	name     string
	optional bool
}

var objectFields sync.Map

// fieldsOf returns the fields of a struct that are in its JSON.
func fieldsOf(t reflect.Type) []objectField {
	if known, ok := objectFields.Load(t); ok {
		return known.([]objectField)
	}
	var fields []objectField
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			fields = append(fields, objectField{i, name, options == "omitempty"})
		}
	}
	objectFields.Store(t, fields)
	return fields
}

// decodeObject reads an object. Values without a field in the struct go to extra, and the names of missing fields to
// absent, so that the object can be written back unchanged.
func decodeObject(data []byte, object any, extra *map[string]json.RawMessage, absent *[]string) error {
	if string(bytes.TrimSpace(data)) == "null" {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	value := reflect.ValueOf(object).Elem()
	*absent = []string{}
	for _, field := range fieldsOf(value.Type()) {
		raw, ok := given[field.name]
		if !ok {
			*absent = append(*absent, field.name)
			continue
		}
		if err := json.Unmarshal(raw, value.Field(field.index).Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", field.name, err)
		}
		delete(given, field.name)
	}
	*extra = nil
	if len(given) > 0 {
		*extra = given
	}
	return nil
}

// isLeftOut reports whether a field is omitted, in a struct that was not read from JSON.
func isLeftOut(field objectField, value reflect.Value) bool {
	if nullable, ok := value.Interface().(interface{ isSent() bool }); ok {
		return !nullable.isSent()
	}
	return field.optional && value.IsZero()
}

// encodeObject writes a struct: the fields that were received (absent is not nil) or are set, then the extra ones.
func encodeObject(object any, extra map[string]json.RawMessage, absent []string) ([]byte, error) {
	value := reflect.ValueOf(object)
	var out bytes.Buffer
	write := func(name string, item any) error {
		encoded, err := json.Marshal(item)
		if err != nil {
			return err
		}
		key, _ := json.Marshal(name)
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(encoded)
		return nil
	}
	for _, field := range fieldsOf(value.Type()) {
		item := value.Field(field.index)
		if absent == nil && isLeftOut(field, item) || slices.Contains(absent, field.name) && item.IsZero() {
			continue
		}
		if err := write(field.name, item.Interface()); err != nil {
			return nil, err
		}
	}
	names := make([]string, 0, len(extra))
	for name := range extra {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := write(name, extra[name]); err != nil {
			return nil, err
		}
	}
	return slices.Concat([]byte("{"), out.Bytes(), []byte("}")), nil
}
