// Pack writes a module in the file layout of a module proxy.
//
//	pack DIRECTORY VERSION PROXY
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func pack(directory, version, proxy string) error {
	goMod, err := os.ReadFile(filepath.Join(directory, "go.mod"))
	if err != nil {
		return err
	}
	path, err := module.EscapePath(modfile.ModulePath(goMod))
	if err != nil {
		return err
	}
	folder := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	base := filepath.Join(folder, version)
	file, err := os.Create(base + ".zip")
	if err != nil {
		return err
	}
	defer file.Close()
	if err := zip.CreateFromDir(file, module.Version{Path: modfile.ModulePath(goMod), Version: version}, directory); err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\": %q, \"Time\": %q}\n", version, time.Now().UTC().Format(time.RFC3339))
	for name, content := range map[string]string{
		base + ".mod": string(goMod), base + ".info": info, filepath.Join(folder, "list"): version + "\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	fmt.Println(base + ".zip")
	return nil
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("Usage: pack DIRECTORY VERSION PROXY")
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}
