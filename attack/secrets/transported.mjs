/** [name, value, text with § for the value]: secrets on their way: options, addresses, headers, output. */
export const CLIENT_OPTIONS = [
  ['curl user', 'word:20', 'curl -u robin:§ https://api.example.com'],
  ['curl bearer', 'word:40', "curl -H 'Authorization: Bearer §' https://api.example.com"],
  ['curl form', 'word:20', 'curl -d "user=robin&password=§" https://api.example.com/login'],
  ['mysql', 'word:16', 'mysql -u root -p§ app'],
  ['mysqldump', 'word:16', 'mysqldump --password=§ app'],
  ['redis-cli', 'word:20', 'redis-cli -h cache -a § ping'],
  ['sshpass', 'word:16', 'sshpass -p § ssh robin@host'],
  ['docker login', 'word:24', 'docker login -u robin -p § registry.example.com'],
  ['docker env', 'word:24', 'docker run -e POSTGRES_PASSWORD=§ postgres'],
  ['mongosh', 'word:20', 'mongosh --username app --password § --host db'],
  ['ldapsearch', 'word:16', 'ldapsearch -D cn=admin -w § -b dc=example'],
  ['kubectl', 'word:24', 'kubectl create secret generic db --from-literal=password=§'],
  ['helm', 'word:24', 'helm install app ./chart --set auth.password=§'],
  ['openssl', 'word:20', 'openssl rsa -in key.pem -passin pass:§'],
  ['htpasswd', 'word:16', 'htpasswd -b .htpasswd robin §'],
  ['aws configure', 'base64:40', 'aws configure set aws_secret_access_key §'],
  ['az login', 'word:34', 'az login --service-principal -u app -p § --tenant t'],
  ['npm config', 'word:36', 'npm config set //registry.example.com/:_authToken §'],
  ['smbclient', 'word:16', 'smbclient //server/share -U robin%§'],
  ['wget', 'word:16', 'wget --user=robin --password=§ https://example.com/x'],
  ['token option', 'word:32', 'sometool deploy --token § --region eu'],
  ['api-key option', 'word:32', 'sometool --api-key=§ run'],
  ['gh', 'word:36', 'echo § | gh auth login --with-token'],
  ['zip', 'word:16', 'zip -P § out.zip file.txt'],
];

export const CONNECTION_STRINGS = [
  ['postgres', 'word:20', 'postgres://app:§@db.example.com:5432/app'],
  ['special characters', 'password:16', 'postgresql://app:§@db/app'],
  ['mysql', 'word:20', 'mysql+pymysql://root:§@127.0.0.1/app'],
  ['mongodb', 'word:20', 'mongodb+srv://app:§@cluster0.example.net/app?retryWrites=true'],
  ['redis', 'word:24', 'redis://:§@cache:6379/0'],
  ['amqp', 'word:20', 'amqps://app:§@mq.example.com/vhost'],
  ['https', 'word:30', 'git clone https://robin:§@git.example.com/x.git'],
  ['https token', 'word:36', 'https://§@git.example.com/x.git'],
  ['JDBC', 'word:20', 'jdbc:postgresql://db/app?user=app&password=§'],
  ['ADO.NET', 'word:20', 'Server=db;Database=app;User Id=sa;Password=§;Encrypt=true'],
  ['ODBC', 'word:20', 'Driver={SQL Server};Server=db;Uid=sa;Pwd=§;'],
  [
    'Azure storage',
    'base64:86',
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=§==;EndpointSuffix=core.windows.net',
  ],
  ['Azure SAS', 'word:43', 'https://a.blob.core.windows.net/c?sv=2024-01-01&sig=§%3D'],
  ['libpq', 'word:20', 'host=db user=app password=§ dbname=app'],
  ['SMTP', 'word:16', 'smtp://robin:§@mail.example.com:587'],
];

export const HEADERS_AND_COOKIES = [
  ['bearer', 'url:48', 'Authorization: Bearer §'],
  ['basic', 'base64:32', 'Authorization: Basic §'],
  ['token', 'word:40', 'authorization: token §'],
  ['api key', 'word:32', 'X-Api-Key: §'],
  ['auth token', 'word:32', 'x-auth-token: §'],
  ['cookie', 'url:40', 'Cookie: theme=dark; session=§; lang=en'],
  ['set-cookie', 'url:40', 'Set-Cookie: sid=§; Path=/; HttpOnly'],
  ['connect.sid', 'url:40', 'Cookie: connect.sid=s%3A§'],
  ['query', 'word:32', 'GET /v1/items?access_token=§&page=2 HTTP/1.1'],
  ['query key', 'word:32', 'https://maps.example.com/api?key=x1&api_key=§'],
  ['amz', 'base64:100', 'x-amz-security-token: §'],
  ['signed', 'hex:64', 'https://s3.example.com/b/k?X-Amz-Signature=§'],
  ['fetch', 'word:40', "headers: { 'Authorization': `Bearer §` }"],
];

const LINE = 'base64:64';
const LINES = 'MIIEpAIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun';
export const PRIVATE_KEYS = [
  ['RSA', LINE, `-----BEGIN RSA PRIVATE KEY-----\n${LINES}\n§\n-----END RSA PRIVATE KEY-----`],
  ['OpenSSH', LINE, `-----BEGIN OPENSSH PRIVATE KEY-----\n${LINES}\n§\n-----END OPENSSH PRIVATE KEY-----`],
  ['EC', LINE, '-----BEGIN EC PRIVATE KEY-----\n§\n-----END EC PRIVATE KEY-----'],
  ['encrypted', LINE, '-----BEGIN ENCRYPTED PRIVATE KEY-----\n§\n-----END ENCRYPTED PRIVATE KEY-----'],
  ['PGP', LINE, '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n§\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----'],
  [
    'escaped',
    LINE,
    `"private_key": "-----BEGIN PRIVATE KEY-----\\n${LINES}\\n§\\n-----END PRIVATE KEY-----\\n"`,
  ],
  [
    'indented',
    LINE,
    `key: |\n    -----BEGIN PRIVATE KEY-----\n    ${LINES}\n    §\n    -----END PRIVATE KEY-----`,
  ],
  ['cut off', LINE, `-----BEGIN PRIVATE KEY-----\n${LINES}\n§`],
  ['quoted lines', LINE, `> -----BEGIN PRIVATE KEY-----\n> ${LINES}\n> §\n> -----END PRIVATE KEY-----`],
  [
    'numbered lines',
    LINE,
    `     1\t-----BEGIN PRIVATE KEY-----\n     2\t${LINES}\n     3\t§\n     4\t-----END PRIVATE KEY-----`,
  ],
  ['diff', LINE, `+-----BEGIN PRIVATE KEY-----\n+${LINES}\n+§\n+-----END PRIVATE KEY-----`],
  ['PuTTY', LINE, `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n§\nPrivate-MAC: 00`],
];

const ESC = '\u001b';
export const TABLES_AND_OUTPUT = [
  [
    'psql table',
    'word:20',
    ' id | user  | password             \n----+-------+----------------------\n  1 | robin | §\n(1 row)',
  ],
  ['Markdown table', 'word:32', '| name | api key |\n|---|---|\n| prod | § |'],
  ['two columns', 'word:24', 'DB_HOST        db\nDB_PASSWORD    §'],
  ['colour value', 'word:24', `${ESC}[32mAPI_KEY${ESC}[0m=${ESC}[33m§${ESC}[0m`],
  ['colour split', 'word:24', `${ESC}[1mpassword${ESC}[0m: ${ESC}[31m§${ESC}[0m`],
  ['diff', 'word:24', '-DB_PASSWORD=old\n+DB_PASSWORD=§'],
  ['grep', 'word:24', '.env:12:SECRET_KEY=§'],
  ['numbered', 'word:24', '     3\tAPI_SECRET=§'],
  ['arrow', 'word:24', '     3→API_SECRET=§'],
  ['log', 'word:24', 'level=info msg=connect user=app password=§ host=db'],
  ['docker inspect', 'word:24', '"Env": [\n  "PATH=/bin",\n  "DB_PASSWORD=§"\n]'],
  ['declare', 'word:24', 'declare -x API_TOKEN="§"'],
  ['vertical', 'word:24', '*************************** 1. row ***\n    user: app\npassword: §'],
  ['CSV', 'word:24', 'user,password,role\nrobin,§,admin'],
];
