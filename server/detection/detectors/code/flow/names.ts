export const choosingOperators = /^(?:\|\||\?\?|&&|or|and|\?:)$/;
export const joiningOperators = /^(?:\+|\.|%|<<|\/)$/;
/** Functions that return what they get in another form. */
export const passing =
  /(?:decode|encode|unquote|unescape|escape|str|String|bytes|Bytes|join|format|concat|valueOf|toString|strip|trim|quote|lower|upper|replace|substr\w*|slice|split|Base64|b64\w*|append|Join|Sprintf|rawurldecode|dict)\w*$/;
/** Methods whose object comes before what they get. */
export const combining = /(?:concat|join|resolve|append|plus|path\w*|with\w*|of)$/i;
/** Methods that take a part out of a container. */
export const reading =
  /(?:\.|^)(?:get|getOrDefault|GetValueOrDefault|getProperty|fetch|at|pop|elementAt|ElementAt|dig)$/;
/** Functions that undo what encoders do, and these encoders. */
export const decoding =
  /(?:base64_decode|b64decode|decode64|FromBase64String|DecodeString|urldecode|rawurldecode|unquote(?:_plus)?|decodeURI(?:Component)?|unescape(?:HTML|String)?|HtmlDecode|UrlDecode|html_entity_decode|htmlspecialchars_decode|atob)$/;
export const encoding = /encode|quote|escape|specialchars|entities|btoa/i;
