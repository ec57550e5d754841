/* Files that tell nothing of what a project is written in, by the conventions that linguist goes by. */

const BROUGHT_ALONG =
  /(^|\/)(node_modules|bower_components|vendors?|third[-_]?party|3rd[-_]?party|dist|cache|Pods|Carthage|Godeps|\.yarn|\.vscode|\.idea|testdata)\/|^[Dd]ependencies\/|^[Tt]ests?\/fixtures\/|^[Ss]pecs?\/fixtures\/|(^|\/)(gradlew|mvnw)(\.bat|\.cmd)?$|(^|\/)(configure|config\.(guess|sub)|install-sh|ltmain\.sh)$|(^|\/)(jquery|bootstrap|angular|d3|modernizr)([-.\d]*)?(\.min)?\.(js|css)$/;
const DOCUMENTATION = /^(docs?|man|examples?|demos?|samples?|javadoc)\/|(^|\/)documentation\//i;
const GENERATED =
  /\.min\.(js|css)$|\.(pb\.(go|cc|h)|g\.dart|designer\.cs|designer\.vb|generated\.\w+)$|_pb2(_grpc)?\.pyi?$|(^|\/)zz_generated\.\w+\.go$/i;

export const isUncounted = (path: string): boolean =>
  BROUGHT_ALONG.test(path) || DOCUMENTATION.test(path) || GENERATED.test(path);
