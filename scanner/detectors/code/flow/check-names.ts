/** Functions of libraries by what their result says about a value. Names are compared in lower case, without punctuation. */
const names = (text: string) => new Set(text.trim().split(/\s+/));

/** Returns a name as the sets below have it: `start_with?`, `StartsWith` and `startsWith` differ only in the language. */
export const plainName = (name: string) => name.replace(/[^a-zA-Z0-9]/g, '').toLowerCase();

/** Whether a container has the value: members are known values. */
export const membership = names(`includes include has haskey contains containskey containsvalue key member inarray
  arraykeyexists hasown hasownproperty propertyisenumerable in isin trygetvalue anyof oneof equals equalsignorecase equal
  eql equalfold isequal`);
/** Members of these look for their first argument. */
export const needleFirst = names('inarray arraykeyexists in isin oneof');
export const exclusion = names('exclude doesnotcontain notin');

/** Whether a text begins like another, or matches a pattern. Either result may be the one that is refused. */
export const matching =
  names(`startswith startwith hasprefix strstartswith strncmp strncasecmp substrcompare match matches
  fullmatch matchstring ismatch test search pregmatch isabsolute isabs absolute`);
/** Whether a text ends like another. */
export const ending = names('endswith endwith hassuffix strendswith');
/** Whether a text contains another. */
export const containing = names('contains includes include strcontains containsany strstr stristr');
/** Where a text or a list contains another value; a negative number or no value where it does not. */
export const locating = names('indexof index find strpos stripos mbstrpos lastindexof arraysearch search');
/** Whether all characters of a text are of a kind. */
export const classifying = names(`isdigit isalnum isidentifier isalpha isnumeric isdecimal isascii isrelativeto
  iswellformeduristring`);

/** Whether there is a value at all. */
export const absent = names(
  'empty isnull isempty isblank blank nil isnullorempty isnullorwhitespace isundefined isnil',
);
export const present = names(`isset defined nonnull hastext haslength isnotblank isnotempty present boolean bool
  isnotnull notempty any isdefined`);

/** Results that say nothing about the text of a value: whether a file exists, its type, that it was logged. */
export const irrelevant = names(`exists existssync exist fileexists isfile isdir isdirectory isregularfile isreadable
  iswritable stat statsync lstat lstatsync access accesssync mkdir mkdirs mkdirall openfile open readfile readfilesync
  file directory isstring isarray isinstance isobject typeof gettype log debug info warn warning error print println printf
  var_dump vardump echo len length strlen size count hasattr getattr setattr send write writefile next done resolve parse
  unmarshal decode loads query execute exec fetch get post render system passthru popen eval`);

/** Functions whose result is the value in another form, or a part of it. */
export const deriving =
  names(`urlparse urlsplit parseurl url uri create realpath realpathsync normalize normpath torealpath
  resolve abspath getfullpath expandpath clean abs join combine path purepath pureposixpath file fileinfo relative rel
  getrelativepath relativize relativepathfrom relpath commonpath commonprefix basename base dirname dir extname ext splitext
  pathinfo getextension getfilename substr substring mbsubstr strtolower strtoupper mbstrtolower tolower toupper lower upper
  trim trimspace strip str string tostring strval unquote decodeuricomponent rawurldecode urldecode getcanonicalpath
  getcanonicalfile getabsolutepath getabsolutefile topath tofile`);
/** Returns whether a function's result is its argument in another form. */
export const isDeriving = (name: string) => deriving.has(plainName(/\w+[?!]?$/.exec(name)?.[0] ?? ''));
/** Modules and classes whose functions of these names do so too: `url.Parse`, `Paths.get`. */
export const derivingOwners = names('url uri path paths filepath');
export const derivingOfOwner = names('parse get of create new');

/** Parts of an address that say where it leads, and of a path that say where it lies. */
export const hostParts = names('netloc origin host hostname gethost authority getauthority isabsoluteuri');
/** Parts that are text: those above, and others of addresses and paths. */
export const textParts = new Set([
  ...hostParts,
  ...names('scheme protocol getscheme parents parent pathname path href'),
]);
export const lengths = names('length size count len');

/** Functions that end the request or the program. */
export const leaving =
  names(`exit die abort panic fail halt raise throw fatal fatalf fatalln panicf panicln head redirectto
  redirect wpdie wpsendjsonerror sysexit notfound badrequest reject`);
/** Functions that do so where their first argument is true, and where it is false. */
export const leavingIf = names('abortif throwif');
export const leavingUnless = names(
  'abortunless throwunless assert checkargument istrue asserttrue invariant require check',
);
/** Functions that raise an error unless their object or first argument is acceptable. */
export const raising = names('relativeto oneof inarray choice');
