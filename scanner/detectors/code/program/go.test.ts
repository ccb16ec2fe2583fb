import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepositoryFixture } from '../../../../tests/harness/repository.ts';
import { forEachTest, type ScannedSource } from '../../../../tests/harness/scanned-source.ts';
import { codeDetector } from '../code-detector.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
forEachTest(codeDetector, (created) => {
  ({ fixture, source } = created);
});

const files = {
  'server/web/user.go': `package web

import (
	"net/http"

	"example.com/shop/server/v2/db"
	"example.com/shop/server/v2/users"
	. "example.com/shop/server/v2/texts"
)

type Server struct {
	finder users.Finder
	rows   *db.Rows
	Shell
}

func NewServer(rows *db.Rows) *Server { return &Server{rows: rows} }

func (s *Server) user(w http.ResponseWriter, r *http.Request) {
	s.finder.FindUser(r.FormValue("name"))
	s.rows.See("SELECT * FROM users WHERE name = '" + Known(r.FormValue("name")) + "'")
	s.rows.Look("SELECT * FROM users WHERE id = " + Tidy(r.FormValue("id")))
}

func ping(w http.ResponseWriter, r *http.Request) {
	server := NewServer(nil)
	server.Ping(3, r.FormValue("host"))
	Run(nameOf(r))
}
`,
  'server/web/shell.go': `package web

import (
	"net/http"
	"os/exec"
	"strconv"
)

type Shell struct{}

func (s Shell) Ping(count int, host string) {
	Run("ping -c " + strconv.Itoa(count) + " " + host)
}

func Run(command string) {
	exec.Command("sh", "-c", command).Run()
}

func nameOf(r *http.Request) string { return r.FormValue("command") }
`,
  'server/users/finder.go': `package users

type Finder interface {
	FindUser(name string) error
}
`,
  'server/users/stored.go': `package users

import "example.com/shop/server/v2/db"

type stored struct {
	first, second *db.Rows
}

func (s *stored) FindUser(name string) error {
	return s.second.Load("SELECT * FROM users WHERE name = '" + name + "'")
}
`,
  'server/db/rows.go': `package db

import "database/sql"

type Rows struct {
	handle *sql.DB
}
`,
  'server/db/load.go': `package db

func (r *Rows) Load(query string) error {
	_, err := r.handle.Query(query)
	return err
}

func (r *Rows) Look(query string) error {
	_, err := r.handle.Query(query)
	return err
}

func (r *Rows) See(query string) error {
	_, err := r.handle.Query(query)
	return err
}
`,
  'server/texts/texts.go': `package texts

import "strconv"

func Tidy(text string) string {
	number, _ := strconv.Atoi(text)
	return strconv.Itoa(number)
}

func Known(text string) string {
	if text != "a" && text != "b" {
		panic("unknown")
	}
	return text
}
`,
};

test('input is followed through packages, types, embedded types, interfaces and results of Go', async () => {
  fixture.commit(files);
  const found = await source.scan();
  assert.deepEqual(
    found
      .map(({ rule, location, confidence }) => `${rule.id} ${location.path}:${location.start_line} ${confidence}`)
      .sort(),
    ['go-command-injection server/web/shell.go:16 high', 'go-sql-injection server/db/load.go:4 high'],
  );
  const query = found.find(({ rule }) => rule.id === 'go-sql-injection');
  assert.deepEqual(
    query?.flow?.map(({ path, start_line, message }) => `${path}:${start_line} ${message}`),
    [
      'server/web/user.go:20 Input `r.FormValue("name")`',
      'server/web/user.go:20 Passed to `s.finder.FindUser`',
      'server/users/stored.go:9 Parameter `name`',
      'server/users/stored.go:10 Passed to `s.second.Load`',
      'server/db/load.go:3 Parameter `query`',
      'server/db/load.go:4 Used in `r.handle.Query(query)`',
    ],
  );
});
