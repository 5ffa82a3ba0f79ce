import { type DrawnShape, shapesOf } from './shape.ts';

/** Values that only their place in code, a statement or a document reveals. */
export const codeShapes: DrawnShape[] = shapesOf({
  'string in three quotes': [(d) => d.password(), (v) => `password = """${v}"""`],
  'optional type': [(d) => d.mixed(32), (v) => `let apiKey: String? = "${v}"`],
  'type with null': [(d) => d.password(), (v) => `const password: string | null = '${v}';`],
  'here document': [(d) => d.password(), (v) => `password = <<EOT\n${v}\nEOT`],
  setter: [(d) => d.mixed(16), (v) => `ds.setPassword("${v}");`],
  builder: [(d) => d.mixed(16), (v) => `client.user("robin").password("${v}").build()`],
  'key of a builder': [(d) => d.mixed(32), (v) => `Client.builder().apiKey('${v}')`],
  'basic authentication': [(d) => d.mixed(16), (v) => `HTTPBasicAuth('robin', '${v}')`],
  'pair for authentication': [(d) => d.mixed(16), (v) => `requests.get(url, auth=('robin', '${v}'))`],
  'credentials of a client': [(d) => d.mixed(16), (v) => `new UsernamePasswordCredentials("robin", "${v}")`],
  'connection in PHP': [(d) => d.mixed(16), (v) => `mysqli_connect("localhost", "root", "${v}", "app")`],
  'data object in PHP': [(d) => d.mixed(16), (v) => `new PDO($dsn, 'root', '${v}')`],
  'connection in Java': [(d) => d.mixed(16), (v) => `DriverManager.getConnection(url, "root", "${v}")`],
  'inserted row': [(d) => d.mixed(12), (v) => `INSERT INTO users (name, password) VALUES ('robin', '${v}');`],
  'third inserted row': [
    (d) => d.mixed(12),
    (v) =>
      `insert into "users" ("password", "age")\nvalues ('[redacted:password]', 1), (md5('x'), 2), ('${v}', 3)`,
  ],
  'default of a Terraform variable': [
    (d) => d.password(),
    (v) => `variable "db_password" {\n  type    = string\n  default = "${v}"\n}`,
  ],
  'value before its name in JSON': [(d) => d.password(), (v) => `{"value":"${v}","name":"DB_PASSWORD"}`],
  'field of a form': [
    (d) => d.password(),
    (v) => `Content-Disposition: form-data; name="password"\n\n${v}\n--x`,
  ],
  'ODBC string with braces': [(d) => d.mixed(14), (v) => `Server=db;Uid=sa;Pwd={${v}};`],
  'SQL Server URL with a port': [
    (d) => `${d.mixed(6)}@${d.mixed(6)}1`,
    (v) => `jdbc:sqlserver://db:1433;user=sa;password=${v};encrypt=true`,
  ],
  'salt of WordPress': [
    (d) => d.from('abcXYZ0189!@#%^&*()-_+=|;:?,./~', 64),
    (v) => `define('NONCE_SALT',       '${v}');`,
  ],
  'AWS pair': [(d) => d.base64(40), (v, d) => `AKIA${d.upper(16)}:${v}`],
  'AWS pair in a row': [(d) => d.base64(40), (v, d) => `robin,AKIA${d.upper(16)},${v}`],
  'AWS prompt': [(d) => d.base64(40), (v) => `AWS Secret Access Key [None]: ${v}`],
  'line of a cookie file': [
    (d) => d.hex(32),
    (v) => `.example.com\tTRUE\t/\tTRUE\t1790000000\tsessionid\t${v}`,
  ],
  'table row in HTML': [(d) => d.mixed(14), (v) => `<tr><td>Password</td><td>${v}</td></tr>`],
  'definition in HTML': [
    (d) => d.mixed(14),
    (v) => `<dt>Database password:</dt>\n<dd><code>${v}</code></dd>`,
  ],
  'member in XML-RPC': [
    (d) => d.mixed(14),
    (v) => `<name>password</name><value><string>${v}</string></value>`,
  ],
  'bold name in Markdown': [(d) => d.password(), (v) => `- **Password:** ${v}`],
  'bold name and code in Markdown': [(d) => d.password(), (v) => `**Password**: \`${v}\``],
  'wifi key': [(d) => d.mixed(14), (v) => `network={\n  ssid="home"\n  psk="${v}"\n}`],
  'dialogue of expect': [(d) => d.mixed(14), (v) => `expect "Password:"\nsend "${v}\\r"`],
  'mail server dialogue': [
    (d) => Buffer.from(`\0robin\0${d.mixed(12)}`).toString('base64'),
    (v) => `AUTH PLAIN ${v}`,
  ],
  'user of Redis': [(d) => d.mixed(20), (v) => `ACL SETUSER robin on >${v} ~* +@all`],
  'link to reset a password': [(d) => d.safe(43), (v) => `https://example.com/reset-password/${v}`],
});
