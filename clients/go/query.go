package assay

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"unicode/utf8"
)

// url returns the address of a request.
func (t *transport) url(s *spec) (string, error) {
	segments := make([]string, len(s.path))
	for i, segment := range s.path {
		if segment == "" || segment == "." || segment == ".." || !utf8.ValidString(segment) {
			shown, _ := json.Marshal(segment)
			return "", invalidArgument("%s is not an id. Give the id of a resource, as the API returned it.", shown)
		}
		segments[i] = url.PathEscape(segment)
	}
	return t.baseURL + "/" + strings.Join(segments, "/") + queryText(s.query), nil
}

// queryText writes the set fields of a struct of parameters.
func queryText(params any) string {
	if params == nil {
		return ""
	}
	value := reflect.ValueOf(params)
	var parts []string
	for _, field := range fieldsOf(value.Type()) {
		item := reflect.Indirect(value.Field(field.index))
		if isLeftOut(field, value.Field(field.index)) {
			continue
		}
		texts := []string{}
		if item.Kind() == reflect.Slice {
			for i := range item.Len() {
				texts = append(texts, escape(item.Index(i).Interface()))
			}
		} else {
			texts = append(texts, escape(item.Interface()))
		}
		parts = append(parts, field.name+"="+strings.Join(texts, ","))
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

func escape(value any) string {
	return strings.ReplaceAll(url.QueryEscape(fmt.Sprint(value)), "+", "%20")
}
