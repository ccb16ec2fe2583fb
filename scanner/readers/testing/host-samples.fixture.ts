/** Hand-written results in the formats of host and cloud scanners. */
export const qualysSample = `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE ASSET_DATA_REPORT SYSTEM "https://qualysguard.example/asset_data_report.dtd">
<ASSET_DATA_REPORT><HEADER><COMPANY><![CDATA[Example]]></COMPANY></HEADER><HOST_LIST>
<HOST><IP>192.0.2.8</IP><TRACKING_METHOD>DNS</TRACKING_METHOD><DNS><![CDATA[db.example]]></DNS><VULN_INFO_LIST>
<VULN_INFO><QID id="qid_900201">900201</QID><TYPE>Vuln</TYPE><PORT>22</PORT><PROTOCOL>tcp</PROTOCOL><SSL>false</SSL><RESULT format="table"><![CDATA[ssh-dss 1024 bits]]></RESULT><LAST_FOUND>2099-01-01T00:00:00Z</LAST_FOUND><VULN_STATUS>New</VULN_STATUS></VULN_INFO>
<VULN_INFO><QID id="qid_900201">900201</QID><TYPE>Vuln</TYPE><PORT>2222</PORT><PROTOCOL>tcp</PROTOCOL><RESULT><![CDATA[ssh-dss 1024 bits]]></RESULT><VULN_STATUS>Active</VULN_STATUS></VULN_INFO>
<VULN_INFO><QID id="qid_900202">900202</QID><TYPE>Practice</TYPE><VULN_STATUS>Re-Opened</VULN_STATUS></VULN_INFO>
<VULN_INFO><QID id="qid_900203">900203</QID><TYPE>Ig</TYPE></VULN_INFO>
<VULN_INFO><QID id="qid_900204">900204</QID><TYPE>Vuln</TYPE><VULN_STATUS>Fixed</VULN_STATUS></VULN_INFO>
</VULN_INFO_LIST></HOST></HOST_LIST>
<GLOSSARY><VULN_DETAILS_LIST>
<VULN_DETAILS id="qid_900201"><QID id="qid_900201">900201</QID><TITLE><![CDATA[Weak SSH keys]]></TITLE><SEVERITY>3</SEVERITY><CATEGORY>General</CATEGORY>
<THREAT><![CDATA[<P>Short keys are offered.<P>They can be broken.]]></THREAT><IMPACT><![CDATA[Traffic can be read.]]></IMPACT><SOLUTION><![CDATA[Use longer keys.]]></SOLUTION>
<CVSS3_SCORE><CVSS3_BASE>5.9 (AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N)</CVSS3_BASE></CVSS3_SCORE>
<CVE_ID_LIST><CVE_ID><ID><![CDATA[CVE-2099-0701]]></ID><URL><![CDATA[https://example.com/cve]]></URL></CVE_ID></CVE_ID_LIST></VULN_DETAILS>
<VULN_DETAILS id="qid_900202"><QID id="qid_900202">900202</QID><TITLE><![CDATA[Old kernel]]></TITLE><SEVERITY>5</SEVERITY></VULN_DETAILS>
<VULN_DETAILS id="qid_900203"><QID id="qid_900203">900203</QID><TITLE><![CDATA[DNS name]]></TITLE><SEVERITY>1</SEVERITY></VULN_DETAILS>
</VULN_DETAILS_LIST></GLOSSARY></ASSET_DATA_REPORT>`;

export const qualysCsvSample = `"Asset report","01/01/2099 at 10:00:00 (GMT)"
"Example","Street 1","Town"
"IP","Network","DNS","NetBIOS","Tracking Method","OS","IP Status","QID","Title","Vuln Status","Type","Severity","Port","Protocol","CVE ID","CVSS3 Base","Threat","Impact","Solution","Results"
"192.0.2.8","Global","db.example","DB","DNS","Linux","host scanned, found vuln","900201","Weak SSH keys","Active","Vuln","3","22","tcp","CVE-2099-0701","5.9 (AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N)","Short keys are offered.","Traffic can be read.","Use longer keys.","ssh-dss 1024 bits"
"192.0.2.8","Global","db.example","DB","DNS","Linux","host scanned, found vuln","900204","Old TLS","Fixed","Vuln","3","443","tcp","","","","","",""
`;

export const qualysPciSample = `IP,HOSTNAME,LAST SCAN,QID,VULN TITLE,TYPE,SEVERITY,PORT,PROTOCOL,FALSE POSITIVE STATUS,CVSS_BASE,Q_SEVERITY,THREAT,IMPACT,SOLUTION,RESULT,CVEID
192.0.2.9,shop.example,01/01/2099 13:01,900205,Web server stopped,POTENTIAL,Medium,80,tcp,Approved,6.4,3,It stopped.,-,Restart it.,-,-
`;

export const qualysApiSample = `<?xml version="1.0" encoding="UTF-8" ?><HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE><HOST_LIST>
<HOST><ID>1</ID><IP>192.0.2.8</IP><TRACKING_METHOD>AGENT</TRACKING_METHOD><DNS><![CDATA[db.example]]></DNS><DETECTION_LIST>
<DETECTION><QID>900201</QID><TYPE>Confirmed</TYPE><SEVERITY>3</SEVERITY><PORT>22</PORT><PROTOCOL>tcp</PROTOCOL><RESULTS><![CDATA[ssh-dss]]></RESULTS><STATUS>Active</STATUS><IS_IGNORED>0</IS_IGNORED></DETECTION>
<DETECTION><QID>900206</QID><TYPE>Potential</TYPE><SEVERITY>1</SEVERITY><STATUS>New</STATUS><IS_IGNORED>1</IS_IGNORED></DETECTION>
</DETECTION_LIST></HOST></HOST_LIST></RESPONSE></HOST_LIST_VM_DETECTION_OUTPUT>`;

export const qualysScanSample = `<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE SCAN SYSTEM "https://qualysapi.example/scan-1.dtd">
<SCAN value="scan/1"><IP value="192.0.2.8" name="db.example"><VULNS><CAT value="General" port="22" protocol="tcp">
<VULN number="900201" severity="3" cveid="CVE-2099-0701"><TITLE><![CDATA[Weak SSH keys]]></TITLE><DIAGNOSIS><![CDATA[Short keys are offered.]]></DIAGNOSIS><SOLUTION><![CDATA[Use longer keys.]]></SOLUTION><RESULT><![CDATA[ssh-dss]]></RESULT></VULN></CAT></VULNS>
<INFOS><CAT value="Information"><INFO number="900203" severity="1"><TITLE>DNS name</TITLE></INFO></CAT></INFOS></IP></SCAN>`;

export const qualysWasSample = `<?xml version='1.0' encoding='UTF-8'?><WAS_WEBAPP_REPORT><HEADER><NAME>Report</NAME></HEADER><RESULTS><WEB_APPLICATION><NAME>Shop</NAME>
<VULNERABILITY_LIST><VULNERABILITY><UNIQUE_ID>1</UNIQUE_ID><QID>900301</QID><URL>https://shop.example/search?q=%22onload%3D1</URL><PARAM>q</PARAM><STATUS>ACTIVE</STATUS><PAYLOADS><PAYLOAD><REQUEST><URL>https://shop.example/search</URL></REQUEST></PAYLOAD></PAYLOADS><IGNORED>false</IGNORED></VULNERABILITY>
<VULNERABILITY><UNIQUE_ID>2</UNIQUE_ID><QID>900301</QID><URL>https://shop.example/search?q=%22onload%3D2</URL><PARAM>page</PARAM><IGNORED>true</IGNORED></VULNERABILITY></VULNERABILITY_LIST>
<INFORMATION_GATHERED_LIST><INFORMATION_GATHERED><QID>900302</QID><DATA base64="true">QQ==</DATA></INFORMATION_GATHERED></INFORMATION_GATHERED_LIST>
</WEB_APPLICATION></RESULTS><GLOSSARY><QID_LIST>
<QID><QID>900301</QID><CATEGORY>Confirmed Vulnerability</CATEGORY><SEVERITY>5</SEVERITY><TITLE>Cross-site scripting</TITLE><CWE>CWE-79</CWE><CVSS_V3><BASE>6.1</BASE></CVSS_V3><DESCRIPTION>&lt;p&gt;Scripts are run.&lt;/p&gt;</DESCRIPTION><SOLUTION>Encode it.</SOLUTION></QID>
<QID><QID>900302</QID><SEVERITY>1</SEVERITY><TITLE>Links</TITLE></QID></QID_LIST></GLOSSARY></WAS_WEBAPP_REPORT>`;

export const nexposeSample = `<?xml version="1.0" encoding="UTF-8" ?><NexposeReport version="2.0"><scans><scan id="1" name="Office" status="finished"/></scans><nodes>
<node address="192.0.2.9" status="alive" device-id="5" site-name="Office"><names><name>ns.example</name></names><tests>
<test id="unix-user-home-dir-mode" key="" status="vulnerable-version" vulnerable-since="20990101T000000000"><Paragraph><Paragraph>The mode of ana's home is 755.</Paragraph></Paragraph></test>
<test id="unix-user-home-dir-mode" key="" status="vulnerable-version"><Paragraph><Paragraph>The mode of ben's home is 777.</Paragraph></Paragraph></test>
<test id="linux-uptodate" status="not-vulnerable"/></tests>
<endpoints><endpoint protocol="udp" port="53" status="open"><services><service name="DNS"><tests>
<test id="DNS-allows-cache-snooping" key="" status="vulnerable-exploited"><Paragraph>Received 4 answers.</Paragraph></test>
<test id="dns-amplification" key="" status="exception-vulnerable-version"/></tests></service></services></endpoint></endpoints></node></nodes>
<VulnerabilityDefinitions>
<vulnerability id="dns-allows-cache-snooping" title="DNS server allows cache snooping" severity="8" pciSeverity="3" cvssScore="5.0" cvssVector="(AV:N/AC:L/Au:N/C:P/I:N/A:N)"><description><ContainerBlockElement><Paragraph>Others see what was asked.</Paragraph></ContainerBlockElement></description>
<references><reference source="URL">https://example.com/dns</reference><reference source="CVE">CVE-2099-0801</reference></references><solution><ContainerBlockElement><UnorderedList><ListItem>Restrict it.</ListItem></UnorderedList></ContainerBlockElement></solution></vulnerability>
<vulnerability id="unix-user-home-dir-mode" title="User home directory mode unsafe" severity="2" cvssScore="2.1"><description/><solution/></vulnerability>
<vulnerability id="dns-amplification" title="DNS traffic amplification" severity="1" cvssScore="0.0"/>
</VulnerabilityDefinitions></NexposeReport>`;

export const nexposeCsvSample = `Asset IP Address,Service Port,Service Protocol,Vulnerability Test Result Code,Vulnerability ID,Vulnerability CVE IDs,Vulnerability Severity Level,Vulnerability Title,Vulnerability Proof
192.0.2.9,53,UDP,ve,dns-allows-cache-snooping,CVE-2099-0801,8,DNS server allows cache snooping,<p>Received 4 answers.</p>
192.0.2.9,,,ep,dns-amplification,,1,DNS traffic amplification,
192.0.2.9,,,nv,linux-uptodate,,1,Up to date,
`;

const account = '123456789012';

export const scoutsuiteSample = `scoutsuite_results =
${JSON.stringify({
  account_id: account,
  environment: 'default',
  last_run: {
    ruleset_about: 'Rules',
    ruleset_name: 'default',
    summary: { s3: { flagged_items: 2 } },
    version: '5.14.0',
  },
  provider_code: 'aws',
  provider_name: 'Amazon Web Services',
  services: {
    ec2: {
      filters: {},
      findings: {
        'ec2-security-group-opens-SSH-port-to-all': {
          description: 'Security group opens SSH port to all',
          checked_items: 3,
          flagged_items: 2,
          items: [
            'ec2.regions.eu-west-1.vpcs.vpc-1.security_groups.sg-1.rules.ingress.protocols.TCP.ports.22.cidrs.0.CIDR',
            'ec2.regions.eu-west-1.vpcs.vpc-1.security_groups.sg-2.rules.ingress.protocols.TCP.ports.22.cidrs.1.CIDR',
          ],
          level: 'danger',
          rationale: '<b>Everybody</b> can try to sign in.',
          references: ['https://example.com/ssh'],
          remediation: null,
          service: 'EC2',
          compliance: [{ name: 'CIS Amazon Web Services Foundations', version: '1.2.0', reference: '4.1' }],
        },
      },
    },
    s3: {
      findings: {
        's3-bucket-no-logging': {
          description: 'Bucket access logging disabled',
          flagged_items: 1,
          items: ['s3.buckets.shop.logging'],
          level: 'warning',
          rationale: 'Nobody sees who read it.',
          references: null,
          compliance: null,
          service: 'S3',
        },
        's3-bucket-world-get': { description: 'Public', flagged_items: 0, items: [], level: 'danger', service: 'S3' },
      },
    },
  },
})}
`;

export const scoutsuiteJsonSample = scoutsuiteSample.slice(scoutsuiteSample.indexOf('{'));

const resource = `/subscriptions/${account}/resourceGroups/web/providers/Microsoft.Storage/storageAccounts/shop`;
const key = 'cdc78c07-02b0-4af0-1cb2-cb7c672a8b0a';

export const defenderSample = {
  value: [
    {
      id: `${resource}/providers/Microsoft.Security/assessments/${key}`,
      name: key,
      type: 'Microsoft.Security/assessments',
      properties: {
        resourceDetails: { source: 'Azure', id: resource },
        displayName: 'Storage account should use a private link connection',
        status: { code: 'Unhealthy', description: 'It has none.' },
        metadata: {
          displayName: 'Storage account should use a private link connection',
          severity: 'Medium',
          description: 'Private links enforce secure communication.',
          remediationDescription: '1. Add a private endpoint.',
          categories: ['Networking'],
        },
        links: { azurePortal: 'https://portal.example/assessment' },
      },
    },
    {
      id: `${resource}/providers/Microsoft.Security/assessments/f67fb4ed`,
      name: 'f67fb4ed',
      type: 'Microsoft.Security/assessments',
      properties: {
        resourceDetails: { source: 'Azure', id: resource },
        displayName: 'Fine',
        status: { code: 'Healthy' },
      },
    },
    {
      id: `${resource}/providers/Microsoft.Security/assessments/dbd0cb49/subAssessments/8fbe2054`,
      name: '8fbe2054',
      type: 'Microsoft.Security/assessments/subAssessments',
      properties: {
        displayName: 'Debian update for example',
        id: '178123',
        status: { code: 'Unhealthy', severity: 'High' },
        resourceDetails: { source: 'Azure', id: `${resource}/images/1` },
        remediation: 'Upgrade example.',
        description: 'An old package.',
        category: 'Debian',
        additionalData: {
          cve: [{ title: 'CVE-2099-0901', link: 'https://example.com/CVE-2099-0901' }],
          cvss: { '2.0': { base: 6.5 }, '3.0': { base: 8.1 } },
        },
      },
    },
  ],
};

export const defenderCsvSample = `"exportedTimestamp","subscriptionId","subscriptionName","resourceGroup","resourceType","resourceName","resourceId","recommendationId","recommendationName","recommendationDisplayName","description","remediationSteps","severity","state","notApplicableReason","azurePortalRecommendationLink"
"2099-01-01T16:01:10.373Z","${account}","Shop","web","storageaccounts","shop","${resource.toLowerCase()}","${resource.toLowerCase()}/providers/Microsoft.Security/assessments/${key}","${key}","Storage account should use a private link connection","Private links enforce secure communication.","Add a private endpoint.","Medium","Unhealthy","","https://portal.example/x"
"2099-01-01T16:01:10.373Z","${account}","Shop","web","storageaccounts","shop","${resource.toLowerCase()}","x","f67fb4ed","Fine","","","Low","Healthy","",""
`;

export const wizSample = `Created At,Title,Severity,Status,Description,Resource Type,Resource external ID,Subscription ID,Project Names,Resolved Time,Resolution,Control ID,Resource Name,Resource Region,Resource Platform,Resource original JSON,Issue ID,Resource vertex ID,Note,Remediation Recommendation,Subscription Name,Wiz URL,Cloud Provider URL
2099-01-25T00:19:27Z,Role with wildcards,INFORMATIONAL,OPEN,"#### Description
The role may do anything.",User,k8s/user/1/support,sub-1,Shop,,,ctl-1,support,,Kubernetes,"{""kind"": ""User""}",iss-1,v-1,,Name the actions.,Shop - test,https://wiz.example/issues#1,
2099-01-25T00:19:27Z,Public bucket,CRITICAL,RESOLVED,,Bucket,arn:1,sub-1,Shop,2099-01-26T00:00:00Z,OBJECT_DELETED,ctl-2,shop,eu,AWS,,iss-2,v-2,,,Shop,https://wiz.example/issues#2,
2099-01-25T00:19:27Z,Public bucket,CRITICAL,REJECTED,,Bucket,arn:2,sub-1,Shop,,WONT_FIX,ctl-2,docs,eu,AWS,,iss-3,v-3,It is meant to be.,,Shop,https://wiz.example/issues#3,
`;

export const wizVulnerabilitySample = `ID,WizURL,Name,CVSSSeverity,HasExploit,FindingStatus,VendorSeverity,FirstDetected,ResolutionReason,Remediation,LocationPath,DetailedName,Version,FixedVersion,DetectionMethod,Link,AssetID,AssetName,ProviderUniqueId
1,https://wiz.example/v#1,CVE-2099-0902,Low,false,Open,Medium,2099-08-28T03:02:01Z,,upgrade it,/usr/bin/agent,example.com/agent,1.4.0,1.5.11,Library,https://github.com/advisories/GHSA-2222-3333-4444,a-1,node-1,projects/1/node-1
2,https://wiz.example/v#2,CVE-2099-0902,Low,false,Open,Medium,2099-08-28T03:02:01Z,,upgrade it,/usr/bin/agent,example.com/agent,1.4.0,1.5.11,Library,,a-2,node-2,projects/1/node-2
3,https://wiz.example/v#3,CVE-2099-0903,High,false,Resolved,High,2099-08-28T03:02:01Z,FIXED,,,kernel,1,2,OS,,a-1,node-1,projects/1/node-1
`;

export const acunetixJsonSample = {
  Generated: '01/01/2099 09:59 AM',
  Target: { Duration: '00:00:41', Initiated: '01/01/2099 09:53 AM', ScanId: '663e', Url: 'https://shop.example/' },
  Vulnerabilities: [
    {
      Certainty: 100,
      Classification: { Cvss: { BaseScore: { Type: 'Base', Value: '8.6' } }, Cvss31: null, Cwe: '89', Owasp: 'A1' },
      Confirmed: true,
      Description: '<p>A query was changed.</p>',
      ExternalReferences: "<a target='_blank' href='https://example.com/sql'>SQL injection</a>",
      HttpRequest: {
        Content: 'GET /search?q=1 HTTP/1.1',
        Parameters: [{ Name: 'q', Type: 'Querystring', Value: "1'" }],
      },
      Impact: '<div>Data can be read.</div>',
      KnownVulnerabilities: [],
      LookupId: '735f',
      Name: 'SQL Injection',
      RemedialProcedure: '<div>Bind the value.</div>',
      Severity: 'Critical',
      State: 'Present',
      Type: 'SqlInjection',
      Url: "https://shop.example/search?q=1'",
    },
    {
      Classification: { Cwe: '16' },
      Name: 'Cookie Not Marked as HttpOnly',
      Severity: 'BestPractice',
      State: 'Present, AcceptedRisk',
      Type: 'CookieNotMarkedAsHttpOnly',
      Url: 'https://shop.example/login',
    },
    { Name: 'Old', Severity: 'High', State: 'Fixed', Type: 'Old', Url: 'https://shop.example/' },
  ],
};
