CREATE TABLE session (
  id text PRIMARY KEY,
  project_id text NOT NULL,
  workspace_id text,
  parent_id text,
  slug text NOT NULL,
  directory text NOT NULL,
  path text,
  title text NOT NULL,
  version text NOT NULL,
  share_url text,
  summary_additions integer,
  summary_deletions integer,
  summary_files integer,
  summary_diffs text,
  metadata text,
  cost real DEFAULT 0 NOT NULL,
  tokens_input integer DEFAULT 0 NOT NULL,
  tokens_output integer DEFAULT 0 NOT NULL,
  tokens_reasoning integer DEFAULT 0 NOT NULL,
  tokens_cache_read integer DEFAULT 0 NOT NULL,
  tokens_cache_write integer DEFAULT 0 NOT NULL,
  revert text,
  permission text,
  agent text,
  model text,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  time_compacting integer,
  time_archived integer
);
CREATE INDEX session_project_idx ON session (project_id);
CREATE INDEX session_workspace_idx ON session (workspace_id);
CREATE INDEX session_parent_idx ON session (parent_id);
CREATE TABLE message (
  id text PRIMARY KEY,
  session_id text NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE INDEX message_session_time_created_id_idx ON message (session_id,time_created,id);
CREATE TABLE part (
  id text PRIMARY KEY,
  message_id text NOT NULL,
  session_id text NOT NULL,
  time_created integer NOT NULL,
  time_updated integer NOT NULL,
  data text NOT NULL
);
CREATE INDEX part_message_id_id_idx ON part (message_id,id);
CREATE INDEX part_session_idx ON part (session_id);
INSERT INTO session VALUES ('ses_e14261815ffeE0GW0LzTftGIZW', '4548b2c07b8070b88535ac0a9a1ed107b2cf6c33', NULL, NULL, 'curious-lagoon', '/home/user/project', '', 'A title', '1.18.33', NULL, 0, 0, 0, NULL, NULL, 0, 600, 60, 0, 0, 0, NULL, '[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]', 'build', '{"id":"scripted-model","providerID":"scripted","variant":"default"}', 1794958288875, 1794958309958, NULL, NULL);
INSERT INTO message VALUES ('msg_1ebd9e9da001LnUI3jC01sOT0i', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958289376, 1794958309214, '{"role":"user","time":{"created":1794958289376},"agent":"build","model":{"providerID":"scripted","modelID":"scripted-model"},"summary":{"diffs":[{"file":"a.txt","patch":"Index: a.txt\n===================================================================\n--- a.txt\t\n+++ a.txt\t\n@@ -0,0 +1,1 @@\n+hello\n","additions":1,"deletions":0,"status":"added"}]}}');
INSERT INTO message VALUES ('msg_1ebd9fe79001pCVDTkuH0h8kZo', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958294649, 1794958302762, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958294649,"completed":1794958302759},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_1ebda1e3e001N1ll0ug8nGi97U', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958302782, 1794958304366, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958302782,"completed":1794958304359},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_1ebda247d001LsF54jK5qxqdr8', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958304381, 1794958305874, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958304381,"completed":1794958305871},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_1ebda2a80001GraeL1AGxH9jqY', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958305920, 1794958307153, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958305920,"completed":1794958307151},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_1ebda2f5c001woc7F7dTg2ftwx', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958307164, 1794958308599, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958307164,"completed":1794958308595},"finish":"tool-calls"}');
INSERT INTO message VALUES ('msg_1ebda34fe001gli4srugnLHDax', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958308606, 1794958309911, '{"parentID":"msg_1ebd9e9da001LnUI3jC01sOT0i","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/user/project","root":"/home/user/project"},"cost":0,"tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"scripted-model","providerID":"scripted","time":{"created":1794958308606,"completed":1794958309908},"finish":"stop"}');
INSERT INTO part VALUES ('prt_1ebd9ea3e00148xqAnhz3XKlm4', 'msg_1ebd9e9da001LnUI3jC01sOT0i', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958294494, 1794958294500, '{"type":"text","text":"\"please write a file\""}');
INSERT INTO part VALUES ('prt_1ebda19f7001IdH0DvrUuYEBsB', 'msg_1ebd9fe79001pCVDTkuH0h8kZo', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958301688, 1794958301690, '{"snapshot":"4071eaf2e85d47f6534cbd0e95fb4c72359a0102","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda19fe001Jfbn1N7O8b9cF5', 'msg_1ebd9fe79001pCVDTkuH0h8kZo', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958301694, 1794958302209, '{"type":"tool","tool":"write","callID":"call_1","state":{"status":"completed","input":{"filePath":"/home/user/project/a.txt","content":"hello\n"},"output":"Wrote file successfully.","metadata":{"diagnostics":{},"filepath":"/home/user/project/a.txt","exists":false,"truncated":false},"title":"a.txt","time":{"start":1794958302054,"end":1794958302206}}}');
INSERT INTO part VALUES ('prt_1ebda1d27001iQp7bQxhRIUpLv', 'msg_1ebd9fe79001pCVDTkuH0h8kZo', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958302503, 1794958302511, '{"reason":"tool-calls","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_1ebda1e14001JlqA9EkeUHg1LI', 'msg_1ebd9fe79001pCVDTkuH0h8kZo', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958302740, 1794958302748, '{"type":"patch","hash":"4071eaf2e85d47f6534cbd0e95fb4c72359a0102","files":["/home/user/project/a.txt"]}');
INSERT INTO part VALUES ('prt_1ebda1fa1001ebp5xxEhjcllMi', 'msg_1ebda1e3e001N1ll0ug8nGi97U', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958303137, 1794958303139, '{"snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda1fae001w8MkkoO0r5K9PK', 'msg_1ebda1e3e001N1ll0ug8nGi97U', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958303150, 1794958303887, '{"type":"tool","tool":"bash","callID":"call_2","state":{"status":"completed","input":{"command":"cat a.txt; exit 3","description":"print it"},"output":"hello\n","metadata":{"output":"hello\n","exit":3,"truncated":false},"title":"cat a.txt; exit 3","time":{"start":1794958303165,"end":1794958303884}}}');
INSERT INTO part VALUES ('prt_1ebda239b001jS7cmWP9FSgzo4', 'msg_1ebda1e3e001N1ll0ug8nGi97U', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958304155, 1794958304166, '{"reason":"tool-calls","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_1ebda26c3001H88uNFqdlMOjAw', 'msg_1ebda247d001LsF54jK5qxqdr8', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958304963, 1794958304966, '{"snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda26d30014ydb7np9jF6qPi', 'msg_1ebda247d001LsF54jK5qxqdr8', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958304980, 1794958305102, '{"type":"tool","tool":"read","callID":"call_3","state":{"status":"completed","input":{"filePath":"/home/user/project/a.txt"},"output":"<path>/home/user/project/a.txt</path>\n<type>file</type>\n<content>\n1: hello\n\n(End of file - total 1 lines)\n</content>","metadata":{"preview":"hello","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/user/project/a.txt","text":"hello","lineStart":1,"lineEnd":1,"totalLines":1,"truncated":false}},"title":"a.txt","time":{"start":1794958305009,"end":1794958305094}}}');
INSERT INTO part VALUES ('prt_1ebda28b5001f5kUWn10CZaIB3', 'msg_1ebda247d001LsF54jK5qxqdr8', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958305461, 1794958305464, '{"reason":"tool-calls","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_1ebda2cad001tMYJ7Uri1R6qMt', 'msg_1ebda2a80001GraeL1AGxH9jqY', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958306478, 1794958306481, '{"snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda2cb3001sW8Vx1qSNTHict', 'msg_1ebda2a80001GraeL1AGxH9jqY', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958306500, 1794958306599, '{"type":"tool","tool":"read","callID":"call_4","state":{"status":"error","input":{"filePath":"/home/user/project/missing.txt"},"error":"File not found: /home/user/project/missing.txt","time":{"start":1794958306545,"end":1794958306597}}}');
INSERT INTO part VALUES ('prt_1ebda2e7a001jdEIlAzGQitG8A', 'msg_1ebda2a80001GraeL1AGxH9jqY', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958306939, 1794958306942, '{"reason":"tool-calls","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_1ebda3161001gw9TvrCYTOsBTC', 'msg_1ebda2f5c001woc7F7dTg2ftwx', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958307681, 1794958307691, '{"snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda3172001BSbtzq74aFzeXS', 'msg_1ebda2f5c001woc7F7dTg2ftwx', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958307698, 1794958308222, '{"type":"tool","tool":"cairn_search","callID":"call_5","state":{"status":"completed","input":{"query":"port"},"output":"port 7070","metadata":{"truncated":false},"title":"","time":{"start":1794958307769,"end":1794958308220}}}');
INSERT INTO part VALUES ('prt_1ebda343b001gr02HqpXVT551r', 'msg_1ebda2f5c001woc7F7dTg2ftwx', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958308416, 1794958308419, '{"reason":"tool-calls","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES ('prt_1ebda368a001he0v5BDWyO4yhv', 'msg_1ebda34fe001gli4srugnLHDax', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958309002, 1794958309005, '{"snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-start"}');
INSERT INTO part VALUES ('prt_1ebda368f001IHJ3uICi3iLIHF', 'msg_1ebda34fe001gli4srugnLHDax', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958309007, 1794958309014, '{"type":"text","text":"We decided: the greeting goes to a.txt.","time":{"start":1794958309007,"end":1794958309012}}');
INSERT INTO part VALUES ('prt_1ebda390900130INH9vA3qSvTn', 'msg_1ebda34fe001gli4srugnLHDax', 'ses_e14261815ffeE0GW0LzTftGIZW', 1794958309641, 1794958309643, '{"reason":"stop","snapshot":"38271eab376da77222f5d47b70532c678e193be4","type":"step-finish","tokens":{"total":110,"input":100,"output":10,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
