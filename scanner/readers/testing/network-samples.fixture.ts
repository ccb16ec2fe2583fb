/** Hand-written results in the formats of website and host scanners. */
export const nmapSample = `<?xml version="1.0"?><!DOCTYPE nmaprun>
<nmaprun scanner="nmap"><host><status state="up"/><address addr="192.0.2.1" addrtype="ipv4"/><ports>
<port protocol="tcp" portid="22"><state state="open"/><service name="ssh" product="OpenSSH" version="7.4"/>
<script id="vulners"><table key="cpe:/a:openbsd:openssh:7.4"><table><elem key="cvss">5.3</elem><elem key="id">CVE-2099-0101</elem></table></table></script></port>
<port protocol="tcp" portid="80"><state state="open"/><script id="http-example"><table key="CVE-2099-0102"><elem key="title">Example</elem><elem key="state">VULNERABLE</elem></table></script></port>
<port protocol="tcp" portid="81"><state state="closed"/></port>
</ports></host><runstats><finished exit="success"/></runstats></nmaprun>`;

export const zapSample = `<?xml version="1.0"?><OWASPZAPReport programName="ZAP" version="2.16.1">
<site name="https://shop.example" host="shop.example" port="443" ssl="true"><alerts>
<alertitem><pluginid>10011</pluginid><alertRef>10011</alertRef><alert>Cookie Without Secure Flag</alert><name>Cookie Without Secure Flag</name>
<riskcode>1</riskcode><confidence>2</confidence><desc>&lt;p&gt;A cookie travels in clear.&lt;/p&gt;</desc>
<instances><instance><uri>https://shop.example/b?x=1</uri><method>GET</method><param>sid</param></instance>
<instance><uri>https://shop.example/a</uri><method>GET</method></instance></instances>
<solution>Set the flag.</solution><reference>https://example.com/cookies</reference><cweid>614</cweid></alertitem>
<alertitem><pluginid>10099</pluginid><alert>Other</alert><name>Other</name><riskcode>3</riskcode><confidence>0</confidence></alertitem>
</alerts></site></OWASPZAPReport>`;

export const zapJsonSample = {
  '@programName': 'ZAP',
  site: [
    {
      '@name': 'https://shop.example',
      alerts: [
        {
          pluginid: '10011',
          alertRef: '10011',
          alert: 'Cookie Without Secure Flag',
          riskcode: '1',
          confidence: '2',
          desc: '<p>A cookie travels in clear.</p>',
          instances: [{ uri: 'https://shop.example/a', method: 'GET' }],
          cweid: '614',
        },
      ],
    },
  ],
};

const burpIssue = (
  serial: string,
  severity: string,
) => `<issue><serialNumber>${serial}</serialNumber><type>2097920</type><name>Cross-site scripting</name>
<host ip="192.0.2.2">https://shop.example</host><path><![CDATA[/search]]></path><location><![CDATA[/search [q parameter]]]></location>
<severity>${severity}</severity><confidence>Certain</confidence><issueBackground><![CDATA[<p>Scripts are <b>run</b>.</p>]]></issueBackground>
<vulnerabilityClassifications><![CDATA[<ul><li><a href="https://cwe.mitre.org/data/definitions/79.html">CWE-79: XSS</a></li></ul>]]></vulnerabilityClassifications>
<requestresponse><request base64="true">R0VUIC8=</request></requestresponse></issue>`;

export const burpFile = (serial: string, severity = 'High'): string =>
  `<?xml version="1.0"?><!DOCTYPE issues [<!ELEMENT issues (issue*)><!ATTLIST issues burpVersion CDATA "">]><issues burpVersion="2099.1">${burpIssue(serial, severity)}</issues>`;

export const openvasSample = `<report id="1" format_id="2" content_type="text/xml"><report id="3"><gmp><version>22</version></gmp><results>
<result id="4"><name>Old TLS</name><host>192.0.2.3<asset asset_id="5"/></host><port>443/tcp</port>
<nvt oid="1.3.6.1.4.1.25623.1.0.117274"><name>Old TLS</name><cvss_base>4.3</cvss_base><tags>summary=TLS 1.0 is offered.|insight=-</tags>
<refs><ref type="cve" id="CVE-2099-0103"/><ref type="url" id="https://example.com/tls"/></refs><solution type="Mitigation">Turn it off.</solution></nvt>
<threat>Medium</threat><severity>4.3</severity><description>TLSv1.0 was accepted.</description></result>
<result id="6"><name>OS detected</name><host>192.0.2.3</host><port>general/tcp</port><nvt oid="1.3.6.1.4.1.25623.1.0.105937"/><threat>Log</threat><severity>0.0</severity></result>
</results></report></report>`;

export const openvasCsvSample = `IP,Hostname,Port,Port Protocol,CVSS,Severity,Solution Type,NVT Name,Summary,Specific Result,NVT OID,CVEs
192.0.2.3,host,443,tcp,4.3,Medium,Mitigation,"Old TLS","TLS 1.0
is offered.","TLSv1.0 was accepted.",1.3.6.1.4.1.25623.1.0.117274,CVE-2099-0103
`;

export const niktoSample = `<?xml version="1.0"?><!DOCTYPE niktoscan SYSTEM "docs/nikto.dtd"><niktoscan>
<scandetails targetip="192.0.2.4" targethostname="old.example" targetport="80">
<item id="999103" osvdbid="0" method="GET"><description><![CDATA[The X-Content-Type-Options header is not set.]]></description><uri><![CDATA[/]]></uri></item>
<item id="1234" osvdbid="3092" method="GET"><description><![CDATA[/admin/: This might be interesting.]]></description><uri><![CDATA[/admin/]]></uri></item>
</scandetails></niktoscan>`;

export const niktoJsonSample = [
  {
    host: 'old.example',
    ip: '192.0.2.4',
    port: '80',
    vulnerabilities: [
      {
        id: '1234',
        method: 'GET',
        url: '/admin/',
        msg: '/admin/: This might be interesting.',
        references: 'https://example.com/x',
      },
    ],
  },
];

export const testsslSample = `"id","fqdn/ip","port","severity","finding","cve","cwe"
"SSLv3","shop.example/192.0.2.5","443","HIGH","offered","",""
"SSLv3","shop.example/192.0.2.6","443","HIGH","offered","",""
"SWEET32","shop.example/192.0.2.5","443","LOW","uses 64 bit block ciphers","CVE-2016-2183 CVE-2016-6329","CWE-327"
"TLS1_3","shop.example/192.0.2.5","443","OK","offered","",""
"overall_grade","shop.example/192.0.2.5","443","CRITICAL","T","",""
`;

export const testsslJsonSample = [
  { id: 'SSLv3', ip: 'shop.example/192.0.2.5', port: '443', severity: 'HIGH', finding: 'offered' },
];

export const nucleiSample = [
  {
    'template-id': 'exposed-panel',
    info: {
      name: 'Exposed panel',
      severity: 'medium',
      reference: ['https://example.com/panel'],
      classification: { 'cwe-id': ['cwe-200'], 'cvss-score': 5.3 },
    },
    'matcher-name': 'login',
    host: 'https://shop.example',
    'matched-at': 'https://user:pass@shop.example/panel?probe=12345',
  },
  { 'template-id': 'tech', info: { name: 'Technology', severity: 'unknown' }, host: 'shop.example:25' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

export const nessusSample = `<?xml version="1.0" ?><NessusClientData_v2><Policy><policyName>Basic</policyName></Policy>
<Report name="Office"><ReportHost name="192.0.2.7"><HostProperties><tag name="host-ip">192.0.2.7</tag></HostProperties>
<ReportItem port="443" svc_name="www" protocol="tcp" severity="2" pluginID="900101" pluginName="Old TLS" pluginFamily="General">
<cve>CVE-2099-0401</cve><cve>CVE-2099-0402</cve><cwe>327</cwe><cvss_base_score>4.3</cvss_base_score><cvss3_base_score>6.5</cvss3_base_score>
<description>TLS 1.0 is offered.</description><synopsis>An old protocol.</synopsis><solution>Turn it off.</solution><risk_factor>Medium</risk_factor>
<see_also>https://example.com/tls
https://example.com/more</see_also><plugin_output>TLSv1.0 was accepted.</plugin_output></ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="0" pluginID="900102" pluginName="OS Identification"><solution>n/a</solution></ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="3" pluginID="900103" pluginName="Unix Compliance Checks"><compliance>true</compliance>
<cm:compliance-check-name xmlns:cm="http://www.nessus.org/cm">1.1 A partition</cm:compliance-check-name><cm:compliance-result xmlns:cm="http://www.nessus.org/cm">FAILED</cm:compliance-result></ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="0" pluginID="900103" pluginName="Unix Compliance Checks"><compliance>true</compliance>
<cm:compliance-check-name xmlns:cm="http://www.nessus.org/cm">1.2 A mount</cm:compliance-check-name><cm:compliance-result xmlns:cm="http://www.nessus.org/cm">PASSED</cm:compliance-result></ReportItem>
</ReportHost></Report></NessusClientData_v2>`;

export const nessusCsvSample = `Plugin ID,CVE,CVSS v2.0 Base Score,Risk,Host,Protocol,Port,Name,Synopsis,Description,Solution,See Also,Plugin Output
900101,CVE-2099-0401,4.3,Medium,192.0.2.7,tcp,443,Old TLS,An old protocol.,TLS 1.0 is offered.,Turn it off.,https://example.com/tls,TLSv1.0 was accepted.
900101,CVE-2099-0402,4.3,Medium,192.0.2.7,tcp,443,Old TLS,An old protocol.,TLS 1.0 is offered.,Turn it off.,https://example.com/tls,TLSv1.0 was accepted.
900102,,,None,192.0.2.7,tcp,0,OS Identification,,,n/a,,
`;

export const tenableCsvSample = `asset.name,definition.id,definition.name,definition.cve,definition.cwe,definition.synopsis,definition.solution,port,protocol,severity,state
192.0.2.7,900101,Old TLS,"CVE-2099-0401, CVE-2099-0402",327,An old protocol.,Turn it off.,443,TCP,Medium,ACTIVE
192.0.2.7,900104,Old SSH,,,,,22,TCP,High,FIXED
`;

export const acunetixSample = `<?xml version="1.0" encoding="utf-8"?><ScanGroup ExportedOn="1/1/2099"><Scan><Name>Shop</Name>
<StartURL>https://shop.example/start</StartURL><ReportItems>
<ReportItem id="1" color="red"><Name><![CDATA[SQL injection]]></Name><ModuleName><![CDATA[Scripting]]></ModuleName>
<Details><![CDATA[The value of <b>q</b> reaches a query.<br/>It was seen.]]></Details><Affects><![CDATA[/search]]></Affects><Parameter><![CDATA[q]]></Parameter>
<IsFalsePositive><![CDATA[False]]></IsFalsePositive><Severity><![CDATA[high]]></Severity><Description><![CDATA[Queries can be changed.]]></Description>
<Recommendation><![CDATA[Bind the value.]]></Recommendation><TechnicalDetails><Request><![CDATA[GET /search?q=1]]></Request></TechnicalDetails>
<CWEList><CWE id="89"><![CDATA[CWE-89]]></CWE></CWEList><CVEList><CVE><Text><![CDATA[CVE-2099-0501]]></Text></CVE></CVEList>
<CVSS3><Descriptor/><Score><![CDATA[8.8]]></Score></CVSS3><References><Reference><Database>OWASP</Database><URL><![CDATA[https://example.com/sql]]></URL></Reference></References></ReportItem>
<ReportItem id="2" color="blue"><Name>Old server</Name><Affects>Web Server</Affects><IsFalsePositive>True</IsFalsePositive><Severity>low</Severity><CWE id="200">CWE-200</CWE></ReportItem>
</ReportItems></Scan></ScanGroup>`;
