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
  'app/controllers/application_controller.rb': `class ApplicationController < ActionController::Base
  def run_safely(host)
    Shop::Shell.look(Shop::Texts.tidy(host))
  end
end
`,
  'app/controllers/concerns/naming.rb': `module Naming
  extend ActiveSupport::Concern
  def wanted_order
    params[:order]
  end
end
`,
  'app/controllers/users_controller.rb': `class UsersController < ApplicationController
  include Naming
  before_action :set_title, only: [:show]

  def index
    @users = User.named(params[:name])
    User.visible.tidied(params[:name])
    UserSearch.new(params[:query]).rows
    User.ranked(wanted_order)
  end

  def show
    @user = User.find(params[:id])
    @user.rename(params[:title])
    Shop::Shell.run(@command)
    run_safely(params[:host])
  end

  def edit
    @hint = params[:hint]
  end

  private

  def set_title
    @title = params[:title]
    @command = "ping #{params[:host]}"
  end
end
`,
  'app/helpers/users_helper.rb': `module UsersHelper
  def bold(text)
    raw("<b>#{text}</b>")
  end
  def shown(text)
    tinted(text)
  end
  def tinted(text)
    Paint.unknown(text)
  end
end
`,
  'app/models/rows.rb': `class Rows
  def self.load(text)
    connection.execute(text)
  end
  def self.look(text)
    connection.execute(text)
  end
  def self.change(text)
    connection.execute(text)
  end
  def self.sorted(column)
    User.all.order(column)
  end
  def self.other(text)
    connection.execute(text)
  end
end
`,
  'app/models/user.rb': `class User < ApplicationRecord
  scope :named, ->(name) { Rows.load("SELECT * FROM users WHERE name = '#{name}'") }
  scope :visible, -> { where(hidden: false) }
  def self.tidied(name)
    Rows.look("SELECT * FROM users WHERE name = '#{Shop::Texts.tidy(name)}'")
  end
  class << self
    def ranked(column)
      Rows.sorted(column)
    end
  end
  def rename(title)
    Rows.change("UPDATE users SET title = '#{title}'")
  end
end
`,
  'app/services/user_search.rb': `class UserSearch
  def initialize(query)
    @query = query
  end
  def rows
    Rows.other("SELECT * FROM users WHERE name LIKE '%#{@query}%'")
  end
end
`,
  'app/views/users/show.html.erb': `<h1><%= raw @title %></h1>
<p><%= raw @hint %></p>
<p><%= bold params[:text] %></p>
<p><%= raw shown(@title) %></p>
`,
  'lib/shop/pick.rb': `module Shop::Pick
  def self.one(text)
    text.to_i.to_s
  end
end
`,
  'lib/shop/shell.rb': `module Shop
  class Shell
    def self.run(command)
      system(command)
    end
    def self.look(command)
      system(command)
    end
  end
end
`,
  'lib/shop/texts.rb': `module Shop
  module Texts
    def self.tidy(text)
      Pick.one(text)
    end
  end
end
`,
};

/** The result of a function in no file is not proven, even if the function that calls it is known. */
const expected = [
  'ruby-command-injection lib/shop/shell.rb:4 high',
  'ruby-sql-injection app/models/rows.rb:12 high',
  'ruby-sql-injection app/models/rows.rb:15 high',
  'ruby-sql-injection app/models/rows.rb:3 high',
  'ruby-sql-injection app/models/rows.rb:9 high',
  'ruby-unescaped-html app/helpers/users_helper.rb:3 high',
  'ruby-unescaped-html app/views/users/show.html.erb:1 high',
];

const scan = async () => {
  const found = await source.scan();
  const places = found.map(
    ({ rule, location, confidence }) => `${rule.id} ${location.path}:${location.start_line} ${confidence}`,
  );
  return { found, places: places.sort() };
};

test('input is followed through models, scopes, concerns, services, helpers, views and callbacks of Rails', async () => {
  fixture.commit(files);
  const { found, places } = await scan();
  assert.deepEqual(places, expected);
  const flows = new Map(
    found.map(({ rule, location, flow }) => [
      `${rule.id} ${location.start_line}`,
      flow?.map(({ path, start_line, message }) => `${path}:${start_line} ${message}`),
    ]),
  );
  assert.deepEqual(flows.get('ruby-sql-injection 15'), [
    'app/controllers/users_controller.rb:8 Input `params[:query]`',
    'app/controllers/users_controller.rb:8 Passed to `UserSearch.new`',
    'app/services/user_search.rb:2 Parameter `query`',
    'app/services/user_search.rb:3 Assigned to `@query`',
    'app/services/user_search.rb:6 Passed to `Rows.other`',
    'app/models/rows.rb:14 Parameter `text`',
    'app/models/rows.rb:15 Used in `connection.execute(text)`',
  ]);
  assert.deepEqual(flows.get('ruby-command-injection 4'), [
    'app/controllers/users_controller.rb:27 Input `params[:host]`',
    'app/controllers/users_controller.rb:15 Returned by `@command`',
    'app/controllers/users_controller.rb:15 Passed to `Shop::Shell.run`',
    'lib/shop/shell.rb:3 Parameter `command`',
    'lib/shop/shell.rb:4 Used in `system(command)`',
  ]);
});

test('neither names nor comments decide whether input is followed through files of Ruby', async () => {
  const words = [
    'tidy',
    'tidied',
    'tidily',
    'UserSearch',
    'user_search',
    'rows',
    'ranked',
    'run_safely',
    'bold',
    'wanted_order',
    'set_title',
  ];
  const renamed = Object.entries(files).map(([path, text]) => {
    const changed = words.reduce(
      (before, word, number) =>
        before.replaceAll(
          new RegExp(`\\b${word}\\b`, 'g'),
          /^[A-Z]/.test(word) ? `Sanitizer${number}` : `clean_${number}`,
        ),
      text,
    );
    const comment = 'sanitize_sql, escape, shellescape, to_i, permit: checked and safe';
    return [path, path.endsWith('.erb') ? changed : changed.replaceAll(/$/gm, ` # ${comment}`)];
  });
  fixture.commit(Object.fromEntries(renamed));
  assert.deepEqual((await scan()).places, expected);
});

test('an instance variable of one action does not reach the view of another, nor a block parameter a method', async () => {
  fixture.commit({
    'app/controllers/posts_controller.rb': `class PostsController < ApplicationController
  def search
    @text = params[:text]
  end

  def show
    @text = helpers.sanitize(params[:text])
  end

  def entry
    params[:entry]
  end
end
`,
    'app/views/posts/show.html.erb': '<%= raw @text %>\n<% rows do |entry| %><%= raw entry %><% end %>\n',
    'app/views/posts/search.html.erb': '<%= raw @text %>\n',
  });
  assert.deepEqual((await scan()).places, ['ruby-unescaped-html app/views/posts/search.html.erb:1 high']);
});
