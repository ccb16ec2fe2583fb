/**
 * Library functions by the meaning of their result for a value. Names are compared in lower case, without punctuation.
 */
const names = (text: string) => new Set(text.trim().split(/\s+/));

/**
 * Returns a name in the form of the sets below: `start_with?`, `StartsWith` and `startsWith` are the same function in
 * different languages.
 */
export const plainName = (name: string) => name.replace(/[^a-zA-Z0-9]/g, '').toLowerCase();

/** Whether a container has the value: its members are known values. */
export const membership = names(`includes include has haskey contains containskey containsvalue key member inarray
  arraykeyexists hasown hasownproperty propertyisenumerable in isin trygetvalue anyof oneof equals equalsignorecase equal
  eql equalfold isequal`);
/** Methods of these objects search for their first argument. */
export const needleFirst = names('inarray arraykeyexists in isin oneof');
export const exclusion = names('exclude doesnotcontain notin');

/** Whether a text starts with another or matches a pattern. Either result may be the refused one. */
export const matching =
  names(`startswith startwith hasprefix strstartswith strncmp strncasecmp substrcompare match matches
  fullmatch matchstring ismatch test search pregmatch isabsolute isabs absolute`);
/** Whether a text ends with another. */
export const ending = names('endswith endwith hassuffix strendswith');
/** Whether a text contains another. */
export const containing = names('contains includes include strcontains containsany strstr stristr');
/** The position at which a text or a list contains a value; a negative number or no value if it does not. */
export const locating = names('indexof index find strpos stripos mbstrpos lastindexof arraysearch search');
/** Whether all characters of a text are of a kind. */
export const classifying = names(`isdigit isalnum isidentifier isalpha isnumeric isdecimal isascii isrelativeto
  iswellformeduristring`);

/** Whether a class is derived from another, or has a method. */
export const describingClasses = names(`isa kindof instanceof issubclassof issubclass isassignablefrom isassignableto
  respondto methoddefined`);

/** Whether the value is present. */
export const absent = names(
  'empty isnull isempty isblank blank nil isnullorempty isnullorwhitespace isundefined isnil',
);
export const present = names(`isset defined nonnull hastext haslength isnotblank isnotempty present boolean bool
  isnotnull notempty any isdefined`);

/**
 * Functions whose results say nothing about the text of a value: whether a file exists, its type, that it was logged.
 */
export const irrelevant =
  names(`exists existssync exist fileexists directoryexists isfile isdir isdirectory isregularfile isreadable
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
/** Modules and classes whose functions of these names do the same: `url.Parse`, `Paths.get`. */
export const derivingOwners = names('url uri path paths filepath');
export const derivingOfOwner = names('parse get of create new');

/** Parts of an address that determine its target, and parts of a path that determine its folder. */
export const hostParts = names('netloc origin host hostname gethost authority getauthority isabsoluteuri');
/** Parts that are text: those above, and other parts of addresses and paths. */
export const textParts = new Set([
  ...hostParts,
  ...names('scheme protocol getscheme parents parent pathname path href'),
]);
export const lengths = names('length size count len');

/** Functions that end the request or the program. */
export const leaving =
  names(`exit die abort panic fail halt raise throw fatal fatalf fatalln panicf panicln head redirectto
  redirect wpdie wpsendjsonerror sysexit notfound badrequest reject`);
/** Functions that do so if their first argument is true, or if it is false. */
export const leavingIf = names('abortif throwif');
export const leavingUnless = names(
  'abortunless throwunless assert checkargument istrue asserttrue invariant require check',
);
/** Functions that raise an error unless their object or first argument is acceptable. */
export const raising = names('relativeto oneof inarray choice');
