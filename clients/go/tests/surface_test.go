package tests

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	assay "assay.dev/client"
)

func readSurface(t *testing.T) map[string]map[string]struct{ Returns string } {
	t.Helper()
	text, err := os.ReadFile("../../conformance/surface.json")
	if err != nil {
		t.Fatal(err)
	}
	var surface struct {
		Resources map[string]map[string]struct{ Returns string }
	}
	if err := json.Unmarshal(text, &surface); err != nil {
		t.Fatal(err)
	}
	return surface.Resources
}

// methodsOf returns the names of the methods of a resource and of its nested resources.
func methodsOf(resource reflect.Type, path string, found map[string]bool) {
	for i := range resource.NumMethod() {
		found[path+resource.Method(i).Name] = true
	}
	for i := range resource.Elem().NumField() {
		if field := resource.Elem().Field(i); field.IsExported() {
			methodsOf(field.Type, path+field.Name+".", found)
		}
	}
}

func TestTheClientOffersEveryMethodOfTheSurfaceAndNoOther(t *testing.T) {
	expected := map[string]bool{}
	for resource, methods := range readSurface(t) {
		var path strings.Builder
		for _, name := range strings.Split(resource, ".") {
			path.WriteString(pascal(name) + ".")
		}
		for method, entry := range methods {
			expected[path.String()+pascal(method)] = true
			if entry.Returns == "page" {
				expected[path.String()+"All"+strings.TrimPrefix(pascal(method), "List")] = true
			}
		}
	}
	found := map[string]bool{}
	methodsOf(reflect.TypeFor[*assay.Client](), "", found)
	if !maps.Equal(found, expected) {
		t.Errorf("It offers\n%v\nnot\n%v", slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(expected)))
	}
}
