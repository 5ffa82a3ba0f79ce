/** [name, value, text with § for the value]: a name beside the value says what it is. */
export const ENVIRONMENT_LINES = [
  ['plain', 'word:24', 'DB_PASSWORD=§'],
  ['exported', 'word:32', 'export STRIPE_SECRET=§'],
  ['double quotes', 'password:20', 'ADMIN_PASSWORD="§"'],
  ['single quotes', 'password:20', "ADMIN_PASSWORD='§'"],
  ['AWS secret', 'base64:40', 'AWS_SECRET_ACCESS_KEY=§'],
  ['session token', 'base64:120', 'AWS_SESSION_TOKEN=§'],
  ['before a command', 'word:20', 'PGPASSWORD=§ psql -h db -U app'],
  ['prefix', 'word:32', 'NEXT_PRIVATE_API_KEY=§'],
  ['lower case', 'word:24', 'client_secret=§'],
  ['spaces', 'word:24', 'API_TOKEN = §'],
  ['PowerShell', 'word:24', '$env:GITHUB_TOKEN = "§"'],
  ['cmd', 'word:24', 'set AUTH_TOKEN=§'],
  ['fish', 'word:24', 'set -x SECRET_KEY §'],
  ['Dockerfile', 'word:24', 'ENV DATABASE_PASSWORD §'],
  ['compose list', 'word:24', '    - MYSQL_ROOT_PASSWORD=§'],
  ['systemd', 'word:24', 'Environment="APP_SECRET=§"'],
  ['short name', 'word:24', 'PASSWD=§'],
  ['encryption key', 'hex:64', 'ENCRYPTION_KEY=§'],
];

export const YAML = [
  ['password', 'password:18', 'database:\n  host: db\n  password: §\n'],
  ['quoted', 'word:32', 'apiKey: "§"'],
  ['Kubernetes secret', 'base64:32', 'kind: Secret\ndata:\n  token: §\n'],
  ['list of env', 'word:24', '- name: DB_PASSWORD\n  value: "§"'],
  ['block', 'word:40', 'client_secret: |\n  §\n'],
  ['kubeconfig', 'base64:60', 'users:\n- name: admin\n  user:\n    token: §'],
  ['ansible', 'word:20', 'ansible_become_pass: §'],
];

export const JSON_TEXTS = [
  ['password', 'word:20', '{"user":"app","password":"§"}'],
  ['camel case', 'word:32', '{"clientSecret": "§", "clientId": "web"}'],
  ['nested', 'word:40', '{\n  "auth": {\n    "access_token": "§",\n    "expires_in": 3600\n  }\n}'],
  ['escaped', 'word:32', '"{\\"apiKey\\":\\"§\\"}"'],
  ['twice escaped', 'word:32', '"{\\\\\\"refresh_token\\\\\\":\\\\\\"§\\\\\\"}"'],
  ['docker config', 'base64:40', '{"auths":{"registry.example.com":{"auth":"§"}}}'],
  ['OAuth client', 'url:35', '{"installed":{"client_id":"x.apps.example.com","client_secret":"§"}}'],
  ['name and value', 'word:30', '{"name":"API_KEY","value":"§"}'],
  ['AWS CLI', 'base64:40', '{"Credentials":{"SecretAccessKey":"§"}}'],
  ['upper case', 'word:30', '{"SECRET_TOKEN":"§"}'],
];

export const CODE = [
  ['JavaScript', 'word:32', "const apiKey = '§';"],
  ['TypeScript', 'word:32', 'private readonly token: string = "§";'],
  ['Python', 'word:32', 'client = Client(api_key="§")'],
  ['Python environment', 'word:32', 'os.environ["SECRET_KEY"] = "§"'],
  ['Go', 'word:32', 'password := "§"'],
  ['Rust', 'word:32', 'let auth_token: &str = "§";'],
  ['Ruby', 'word:32', "config.secret_key_base = '§'"],
  ['PHP', 'word:32', "define('DB_PASSWORD', '§');"],
  ['Java', 'word:32', 'System.setProperty("db.password", "§");'],
  ['properties', 'word:24', 'spring.datasource.password=§'],
  ['TOML', 'word:32', 'secret_key = "§"'],
  ['Terraform', 'word:24', 'resource "db" "x" {\n  master_password = "§"\n}'],
  ['XML', 'word:24', '<server><password>§</password></server>'],
  ['XML attribute', 'word:24', '<add key="ApiSecret" value="§" />'],
  ['.npmrc', 'word:36', '//registry.example.com/:_authToken=§'],
  ['.netrc', 'word:20', 'machine git.example.com login robin password §'],
  ['.pgpass', 'word:20', 'db.example.com:5432:app:robin:§'],
  ['SQL', 'word:20', "CREATE USER app IDENTIFIED BY '§';"],
  ['SQL role', 'word:20', "ALTER ROLE app WITH PASSWORD '§';"],
];

export const PROSE = [
  ['is', 'word:20', 'The database password is § and the user is app.'],
  ['colon', 'word:32', 'my api key: §'],
  ['use as', 'word:32', 'use § as the API key'],
  ['German', 'word:20', 'Das Passwort lautet: §'],
  ['credentials', 'word:16', 'login with admin / § (password)'],
  ['back-ticks', 'word:32', 'Set the token to `§` please'],
];
